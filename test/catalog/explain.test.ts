import { createHash } from 'node:crypto';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { approvePolicy } from '../../src/catalog/approve.ts';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { decide } from '../../src/catalog/decide.ts';
import { createExplain, type Explain } from '../../src/catalog/explain.ts';
import { createCallers, type Callers } from '../../src/catalog/identify.ts';
import type { Identity } from '../../src/catalog/identity.ts';
import { checkPolicy, parsePolicy } from '../../src/catalog/policy-parse.ts';
import { buildRegistry } from '../../src/catalog/registry.ts';
import type { Run } from '../../src/core/run.ts';
import { makeTool, testLimits } from '../support/tools.ts';

const hash = (key: string): string => createHash('sha256').update(key).digest('hex');
const POLICY = `approve:
  - local
  - own@1
  - fetch@1.0.0
default_profile: all
profiles:
  all: {skills: []}
  plans:
    tools:
      - plan
callers:
  - name: agent
    key_sha256: ${hash('a')}
    roles: [runner]
    profile: plans
  - name: small
    key_sha256: ${hash('b')}
    roles: [runner]
    approve: [plan@1]
  - name: wide
    key_sha256: ${hash('c')}
    roles: [operator]
`;

const tools = [
  makeTool({ name: 'plan' }),
  makeTool({ name: 'pdf' }),
  makeTool({ name: 'shelf', usesShelf: true }),
  makeTool({ name: 'own', origin: 'directory:mine' }),
  makeTool({ name: 'unapproved', origin: 'directory:mine' }),
  makeTool({ name: 'fetch', version: '1.0.0', origin: 'package:fetch' }),
];

function open(): { explain: Explain; callers: Callers } {
  const policy = parsePolicy(POLICY, 'p.yaml');
  const registry = buildRegistry(tools, testLimits);
  const known = registry.tools.map(({ entry: { ref, spec, digest } }) => ({
    ref,
    name: spec.name,
    origin: spec.origin,
    digest,
  }));
  const approval = approvePolicy(policy, { tools: known, refused: [] });
  expect(approval.faults).toEqual([]);
  const catalog = buildCatalog({
    registry,
    approved: approval.approved,
    refusals: [
      { origin: 'repository', source: 'skills/x/SKILL.md', reason: 'it has no description', ref: 'broken@1' },
    ],
    findings: [],
    statuses: [],
    deadEntries: [{ entry: 'gone@1', reason: 'its digest differs' }],
    approveEntries: [],
    policyRevision: policy.revision,
  });
  return {
    explain: createExplain({ catalog, policy, approval }),
    callers: createCallers({ policy, approval }),
  };
}

const { explain, callers } = open();
const as = (name: string): Identity => callers.named(name)!;
const inRun = (name: string, refs: readonly string[], profile?: string): Identity => {
  const { caller, grant } = as(name);
  const run = {
    id: 'r',
    owner: name,
    tools: refs,
    ...(profile !== undefined && { profile }),
  } as unknown as Run;
  const base = profile === undefined ? grant : callers.narrow(grant, profile)!;
  return { caller: { name, roles: caller.roles, run }, grant: { ...base, run: new Set(refs) } };
};

describe('why a tool can or cannot be called', () => {
  it.each([
    ['allowed, by the bundle', 'pdf', as('wide'), 'allowed', 2],
    ['allowed, by its own entry', 'own@1', as('wide'), 'allowed', 3],
    ['allowed, by the way a package writes it', 'fetch:fetch', as('wide'), 'allowed', 4],
    ['unknown', 'pfd', as('wide'), 'unknown', undefined],
    ['refused at boot', 'broken@1', as('wide'), 'refused_at_boot', undefined],
    ['refused at boot, by name', 'broken', as('wide'), 'refused_at_boot', undefined],
    ['refused at boot, known from its entry', 'gone@1', as('wide'), 'refused_at_boot', undefined],
    ['not approved', 'unapproved', as('wide'), 'not_approved', 1],
    ['not for this caller', 'pdf@1', as('small'), 'not_for_caller', 19],
    ['not in the profile', 'pdf', as('agent'), 'not_in_profile', 9],
    ['not in the profile of the run', 'pdf', inRun('wide', ['plan@1'], 'plans'), 'not_in_profile', 9],
    ['not in the run', 'pdf', inRun('wide', ['plan@1']), 'not_in_run', undefined],
    ['an empty shelf', 'shelf', as('wide'), 'empty_shelf', 7],
  ] as const)('%s', (...[, ref, who, reason, line]) => {
    const explanation = explain(ref, who);
    expect([explanation.reason, explanation.place?.line]).toEqual([reason, line]);
    expect(explanation.place?.source ?? 'p.yaml').toBe('p.yaml');
    expect(explanation.detail).toMatch(/[.?]$|^It was refused at boot: /u);
  });

  it('says where it was refused, and what may have been meant', () => {
    expect(explain('broken', as('wide')).detail).toBe(
      'It was refused at boot: skills/x/SKILL.md: it has no description',
    );
    expect(explain('pfd', as('wide')).detail).toBe('There is no tool "pfd". Did you mean pdf?');
  });

  it('names the variable where it stands in for the list of the policy', () => {
    const { policy } = checkPolicy({ text: POLICY, source: 'p.yaml', approve: ['local'] });
    expect(policy.placeOf('/approve')).toEqual({ source: 'BROKER_APPROVE' });
  });

  it('never says anything else than the gate itself', () => {
    const refs = tools.map(({ spec }) => `${spec.name}@${spec.version}`);
    const set = fc.option(
      fc.subarray(refs).map((list) => new Set(list)),
      { nil: undefined },
    );
    const grant = fc.record({
      approved: fc.subarray(refs).map((list) => new Set(list)),
      caller: set,
      profile: set,
      run: set,
    });
    fc.assert(
      fc.property(grant, fc.constantFrom(...tools), ({ approved, caller, profile, run }, { spec }) => {
        const given = {
          approved,
          ...(caller && { caller }),
          ...(profile && { profile }),
          ...(run && { run }),
        };
        const who: Identity = { caller: { name: 'wide', roles: [] }, grant: given };
        expect(explain(`${spec.name}@${spec.version}`, who).reason).toBe(decide(spec, given).reason);
      }),
    );
  });
});
