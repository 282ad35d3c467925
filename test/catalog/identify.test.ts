import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { type ApprovableTool, approvePolicy } from '../../src/catalog/approve.ts';
import { decide } from '../../src/catalog/decide.ts';
import { createCallers, type IdentifyParts } from '../../src/catalog/identify.ts';
import type { Identity } from '../../src/catalog/identity.ts';
import { checkPolicy } from '../../src/catalog/policy-parse.ts';
import { BrokerError } from '../../src/core/broker-error.ts';
import { formatRef } from '../../src/core/ref.ts';
import type { ToolSpec } from '../../src/core/tool.ts';

const TOOLS: readonly ApprovableTool[] = [
  { ref: 'create_pdf@1', name: 'create_pdf', origin: 'builtin', digest: 'sha256:x' },
  { ref: 'make_plan@1', name: 'make_plan', origin: 'builtin', digest: 'sha256:x' },
];
const RUNNER_KEY = 'runner-key-0123456789abcdef0123456789';
const OPERATOR_KEY = 'operator-key-0123456789abcdef0123456789';
const BOTH = ['create_pdf@1', 'make_plan@1'];

const sha256 = (key: string): string => createHash('sha256').update(key).digest('hex');

function identifyWith(text: string, parts: Partial<IdentifyParts> = {}) {
  const { policy, faults } = checkPolicy({ text, source: 'p' });
  expect(faults).toStrictEqual([]);
  const approval = approvePolicy(policy, { tools: TOOLS, refused: [] });
  return createCallers({ policy, approval, ...parts }).identify;
}

function allowed({ grant }: Identity): string[] {
  return TOOLS.map(({ name, ref }) => ({ name, version: ref.slice(name.length + 1) }) as ToolSpec)
    .filter((spec) => decide(spec, grant).allowed)
    .map(formatRef);
}

function refusal(act: () => unknown): BrokerError {
  try {
    act();
  } catch (error) {
    if (error instanceof BrokerError) return error;
  }
  throw new Error('It was not refused.');
}

const callers = `approve: [local]
profiles: {plans: {tools: [make_plan]}, all: {}}
callers:
  - {name: agent, key_sha256: ${sha256(RUNNER_KEY)}, roles: [runner], profile: plans}
  - {name: boss, key_sha256: ${sha256(OPERATOR_KEY)}, roles: [operator], approve: [create_pdf@1], expires: 2031-01-01T00:00:00Z}
`;

describe('without keys', () => {
  const identify = identifyWith('approve: [local]', { operatorKey: OPERATOR_KEY });

  it('a call without a credential is the anonymous runner with all that is approved', () => {
    const identity = identify(undefined);
    expect(identity.caller).toStrictEqual({ name: 'anonymous', roles: ['runner'] });
    expect(allowed(identity)).toStrictEqual(BOTH);
  });

  it('the key of this start is the operator, who may run tools as well', () => {
    const identity = identify(OPERATOR_KEY);
    expect(identity.caller).toStrictEqual({ name: 'operator', roles: ['runner', 'operator'] });
    expect(allowed(identity)).toStrictEqual(BOTH);
  });

  it.each([
    '',
    'wrong',
    `${OPERATOR_KEY} `,
    OPERATOR_KEY.slice(1),
    OPERATOR_KEY.toUpperCase(),
    sha256(OPERATOR_KEY),
  ])('a credential that is wrong is refused: %j', (bearer) => {
    expect(refusal(() => identify(bearer)).code).toBe('UNAUTHENTICATED');
  });

  it('the default profile narrows the anonymous caller', () => {
    const narrowed = identifyWith(
      'approve: [local]\ndefault_profile: p\nprofiles: {p: {tools: [make_plan]}}',
    );
    expect(allowed(narrowed(undefined))).toStrictEqual(['make_plan@1']);
  });

  it('a policy that approves nothing allows nothing', () => {
    expect(allowed(identifyWith('')(undefined))).toStrictEqual([]);
  });

  it('there is no operator unless a key was made', () => {
    expect(refusal(() => identifyWith('')('')).code).toBe('UNAUTHENTICATED');
  });
});

describe('with API_KEY', () => {
  const identify = identifyWith('approve: [local]', {
    apiKeySha256: sha256(RUNNER_KEY),
    operatorKey: OPERATOR_KEY,
  });

  it('the key is the caller default in both roles', () => {
    expect(identify(RUNNER_KEY).caller).toStrictEqual({ name: 'default', roles: ['runner', 'operator'] });
    expect(allowed(identify(RUNNER_KEY))).toStrictEqual(BOTH);
  });

  it('a call without a credential is refused, and says that one is needed', () => {
    const { code, message } = refusal(() => identify(undefined));
    expect([code, message]).toStrictEqual([
      'UNAUTHENTICATED',
      'This service needs an API key, and the request carries none.',
    ]);
  });

  it('the key of this start opens nothing', () => {
    expect(refusal(() => identify(OPERATOR_KEY)).code).toBe('UNAUTHENTICATED');
  });
});

describe('with callers in the policy', () => {
  const before = Date.parse('2030-12-31T23:59:59.999Z');
  const identifyAt = (nowMs: number) => identifyWith(callers, { now: () => nowMs });

  it('each key is its caller, with its profile and its part of what is approved', () => {
    const identify = identifyAt(before);
    expect(identify(RUNNER_KEY).caller).toStrictEqual({ name: 'agent', roles: ['runner'], profile: 'plans' });
    expect(allowed(identify(RUNNER_KEY))).toStrictEqual(['make_plan@1']);
    expect(identify(OPERATOR_KEY).caller).toStrictEqual({ name: 'boss', roles: ['operator'] });
    expect(allowed(identify(OPERATOR_KEY))).toStrictEqual(['create_pdf@1']);
  });

  it('a key that has expired is refused like one that never was', () => {
    const wrong = refusal(() => identifyAt(before)('never was'));
    const expired = refusal(() => identifyAt(before + 1)(OPERATOR_KEY));
    const shown = ({ code, message, resolution, retryable, facts }: BrokerError) =>
      JSON.stringify({ code, message, resolution, retryable, facts });
    expect(shown(expired)).toBe(shown(wrong));
    expect(identifyAt(before + 1)(RUNNER_KEY).caller.name).toBe('agent');
  });

  it('a call without a credential, the hash of a key and the name of a caller are refused', () => {
    for (const bearer of [undefined, sha256(RUNNER_KEY), 'agent', 'anonymous', '']) {
      expect(refusal(() => identifyAt(before)(bearer)).code).toBe('UNAUTHENTICATED');
    }
  });

  it('a profile without tools leaves all that is approved', () => {
    const identify = identifyWith(callers.replace('profile: plans', 'profile: all'));
    expect(allowed(identify(RUNNER_KEY))).toStrictEqual(BOTH);
  });

  it('a profile of its own stands before the default profile', () => {
    const identify = identifyWith(
      `default_profile: plans\n${callers.replace('profile: plans', 'profile: all')}`,
    );
    expect(allowed(identify(RUNNER_KEY))).toStrictEqual(BOTH);
  });

  it('a profile that does not exist leaves nothing', () => {
    const { policy } = checkPolicy({ text: callers, source: 'p' });
    const approval = approvePolicy(policy, { tools: TOOLS, refused: [] });
    const { identify } = createCallers({
      policy: { ...policy, profiles: new Map() },
      approval: { ...approval, profiles: new Map() },
    });
    expect(allowed(identify(RUNNER_KEY))).toStrictEqual([]);
  });
});

describe('every caller', () => {
  it('gets the same identity each time, made once and frozen', () => {
    const identify = identifyWith(callers);
    const identity = identify(RUNNER_KEY);
    expect(identify(RUNNER_KEY)).toBe(identity);
    expect([identity, identity.caller, identity.grant].every(Object.isFrozen)).toBe(true);
  });

  it('finds no key in any refusal', () => {
    const identify = identifyWith(callers);
    for (const bearer of [`${RUNNER_KEY}x`, 'tb_secret'.repeat(1000)]) {
      const error = refusal(() => identify(bearer));
      expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(bearer.slice(0, 12));
    }
  });
});
