import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { checkPolicy, MAX_POLICY_BYTES, parsePolicy } from '../../src/catalog/policy-parse.ts';
import { BootError, type BootFault } from '../../src/core/boot-error.ts';

const HASH = 'a1'.repeat(32);
const CALLER = `{name: a, key_sha256: ${HASH}, roles: [runner]}`;

function faultsOf(text: string): readonly BootFault[] {
  return checkPolicy({ text, source: 'policy.yaml' }).faults;
}

describe('parsePolicy', () => {
  it('reads everything that a policy can say', () => {
    const text = [
      'approve: [local, status_update@1]',
      'limits: {builtin_timeout_ms: 5000, max_artifact_bytes: 1024}',
      'default_profile: writer',
      'profiles:',
      '  writer: {tools: [make_plan, create_pdf@1], skills: [write-well]}',
      '  free: {}',
      'callers:',
      '  - name: agent-7',
      `    key_sha256: ${HASH}`,
      '    roles: [runner, operator]',
      '    profile: free',
      '    approve: [make_plan@1]',
      '    expires: 2031-12-31T23:59:59+01:00',
    ].join('\n');
    const policy = parsePolicy(text, 'p.yaml');
    expect(policy).toMatchObject({
      source: 'p.yaml',
      approve: [
        { text: 'local', place: { source: 'p.yaml', line: 1, column: 11 } },
        { text: 'status_update@1', place: { source: 'p.yaml', line: 1, column: 18 } },
      ],
      limits: { builtinTimeoutMs: 5000, maxArtifactBytes: 1024, inlineArtifactBytes: 4_194_304 },
      defaultProfile: 'writer',
      callers: [
        {
          name: 'agent-7',
          keySha256: HASH,
          roles: ['runner', 'operator'],
          profile: 'free',
          approve: [{ text: 'make_plan@1', place: { line: 12, column: 15 } }],
          expiresAt: new Date('2031-12-31T22:59:59Z'),
        },
      ],
    });
    expect([...policy.profiles.keys()]).toStrictEqual(['writer', 'free']);
    expect(policy.profiles.get('free')).toStrictEqual({ name: 'free' });
    expect(policy.profiles.get('writer')?.tools?.map(({ text: tool }) => tool)).toStrictEqual([
      'make_plan',
      'create_pdf@1',
    ]);
  });

  it.each(['', '\n', '# nothing yet\n', '---\n', '~', '{}', 'approve: []', '\uFEFFapprove: []'])(
    'lets %j approve nothing',
    (text) => {
      const policy = parsePolicy(text, 'p');
      expect(policy.approve).toStrictEqual([]);
      expect(policy.callers).toStrictEqual([]);
      expect(policy.limits).toMatchObject({
        builtinTimeoutMs: 10_000,
        maxArgumentBytes: 1_048_576,
        maxArtifactBytes: 16_777_216,
        artifactTtlMs: 3_600_000,
        artifactStoreBytes: 1_073_741_824,
        maxQueuedCalls: 64,
      });
    },
  );

  it('throws every fault at once, each with its line and column', () => {
    const text =
      'aprove: [local]\nlimits:\n  max_queued_calls: 0\n  nope: 1\ndefault_profile: x\ncallers: [{}]\n';
    let thrown: unknown;
    try {
      parsePolicy(text, 'p.yaml');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BootError);
    expect((thrown as BootError).message.split('\n').toSorted()).toStrictEqual([
      'p.yaml:1:1: The policy has the unknown key "aprove". Did you mean approve? Known keys: approve, limits, default_profile, profiles, packages, isolation, callers.',
      'p.yaml:3:21: limits.max_queued_calls is the number 0. Write a whole number from 1 to 100000.',
      expect.stringMatching(
        /^p\.yaml:4:3: limits has the unknown key "nope"\. Known keys: builtin_timeout_ms, /u,
      ),
      'p.yaml:5:18: The profile "x" is unknown. No profile is written in `profiles`.',
      'p.yaml:6:11: callers[0] lacks the key key_sha256. Add it: the SHA-256 of the key as 64 lower-case hexadecimal digits, never the key itself.',
      'p.yaml:6:11: callers[0] lacks the key name. Add it: a name of 1 to 64 ASCII letters, digits, _ and -, starting with a letter or digit.',
      'p.yaml:6:11: callers[0] lacks the key roles. Add it: a list of roles: runner, operator or both, each once.',
    ]);
  });

  it('gives back what is sound beside the faults, so that more can be found', () => {
    const { policy, faults } = checkPolicy({ text: 'approve: [x@1]\nlimits: 5\n', source: 'p' });
    expect(faults).toHaveLength(1);
    expect(policy.approve.map(({ text }) => text)).toStrictEqual(['x@1']);
    expect(checkPolicy({ text: 'approve: [x@1]\nlimits: [\n', source: 'p' }).policy.approve).toStrictEqual(
      [],
    );
  });

  it('does not call a profile unknown while the profiles have a fault, and keeps the callers', () => {
    const text = `default_profile: p\nprofiles: {p: {tool: []}}\ncallers: [{name: a, key_sha256: ${HASH}, roles: [runner], profile: p}]\n`;
    const { policy, faults } = checkPolicy({ text, source: 'p' });
    expect(faults.map(({ line }) => line)).toStrictEqual([2]);
    expect(policy.callers).toHaveLength(1);
  });

  it('never shows what was written where the hash of a key belongs', () => {
    const key = 'tb_SECRETSECRETSECRETSECRETSECRET';
    const faults = faultsOf(`callers:\n  - {name: a, key_sha256: ${key}, roles: [runner]}\n`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({
      line: 2,
      column: 27,
      message: expect.stringContaining('33 characters'),
    });
    expect(JSON.stringify(faults)).not.toContain('SECRET');
  });

  it('reads a policy of 1 MiB and refuses one byte more', () => {
    const text = `#${'x'.repeat(MAX_POLICY_BYTES - 1)}`;
    expect(faultsOf(text)).toStrictEqual([]);
    expect(faultsOf(`${text}x`)).toMatchObject([
      { line: 1, message: expect.stringContaining('1048577 bytes') },
    ]);
  });

  it('ends soon with a bounded list, whatever a long text holds', () => {
    for (const unit of [
      '[',
      '{a: ',
      '- ',
      '? ',
      '"',
      '&a ',
      'a: ]\n',
      '*a ',
      '- 1\n',
      'approve: [a]\n',
      '!',
    ]) {
      const faults = faultsOf(unit.repeat(Math.floor(50_000 / unit.length)));
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.length).toBeLessThanOrEqual(201);
    }
  });

  it('counts the faults that it does not list', () => {
    const text = `approve:\n${'  - 1\n'.repeat(250)}`;
    expect(faultsOf(text)).toHaveLength(201);
    expect(faultsOf(text).at(-1)?.message).toBe('There are 50 more faults like these.');
  });
});

describe('BROKER_APPROVE', () => {
  const text = 'approve: [local]\ncallers: []\n';

  it('stands in for approve and says where its entries come from', () => {
    const { policy, faults } = checkPolicy({ text, source: 'p', approve: ['make_plan@1'] });
    expect(faults).toStrictEqual([]);
    expect(policy.approve).toStrictEqual([{ text: 'make_plan@1', place: { source: 'BROKER_APPROVE' } }]);
  });

  it('approves nothing when it is empty', () => {
    expect(checkPolicy({ text, source: 'p', approve: [] }).policy.approve).toStrictEqual([]);
  });

  it('does not hide a fault in the file', () => {
    expect(checkPolicy({ text: 'approve: local', source: 'p', approve: [] }).faults).toHaveLength(1);
  });

  it('must not name anything twice', () => {
    const { faults } = checkPolicy({ text, source: 'p', approve: ['local', 'x@1', 'local'] });
    expect(faults).toStrictEqual([
      { source: 'BROKER_APPROVE', message: '"local" stands twice.', remedy: 'Keep one of the two.' },
    ]);
  });
});

describe('the revision', () => {
  const revisionOf = (text: string, approve?: string[]): string =>
    checkPolicy({ text, source: 'p', ...(approve && { approve }) }).policy.revision;

  it('is 16 hex digits that depend on what is said and not on how', () => {
    const one = revisionOf('approve: [a@1, b@1]\nlimits: {max_queued_calls: 5}');
    expect(one).toMatch(/^[0-9a-f]{16}$/u);
    expect(revisionOf('# c\nlimits:\n  max_queued_calls: 5\napprove: ["b@1", a@1]')).toBe(one);
    expect(revisionOf('approve: []\nlimits: {max_queued_calls: 5}', ['a@1', 'b@1'])).toBe(one);
  });

  it.each([
    'approve: [a@1]',
    'approve: [a@2]',
    'approve: [a@1]\nlimits: {max_queued_calls: 5}',
    'approve: [a@1]\nprofiles: {p: {}}',
    'approve: [a@1]\nprofiles: {p: {tools: []}}',
    `approve: [a@1]\ncallers: [${CALLER}]`,
    'approve: []',
  ])('differs for each policy: %j', (text) => {
    const others = ['approve: [z@1]', 'approve: [a@1, a@2]', 'approve: [a@1]\nprofiles: {q: {}}'];
    for (const other of others) expect(revisionOf(text)).not.toBe(revisionOf(other));
  });

  it('is pinned, so that an update does not change it by accident', () => {
    expect(revisionOf('approve: [local]')).toMatchInlineSnapshot(`"3976d3da35d970f5"`);
  });
});

describe('the shipped policy', () => {
  const text = readFileSync('policy.yaml', 'utf8');

  it('approves the built-ins, and everything else by its exact name', () => {
    const policy = parsePolicy(text, 'policy.yaml');
    expect(policy.approve.map((entry) => entry.text)).toStrictEqual([
      'local',
      'status_update@1',
      'incident_report@1',
      'meeting_minutes@1',
      'action_list@1',
      'data-fetch@1.0.0',
      'csv-column-summary@1.0.0',
    ]);
    expect([policy.callers.length, policy.defaultProfile]).toStrictEqual([0, 'everyone']);
  });

  it('shows examples that are right when the # is taken away', () => {
    const isExample = /^# (?:limits|packages|isolation|callers):|^# {3}/u;
    const active = text
      .split('\n')
      .map((line) => (isExample.test(line) ? line.slice(2) : line))
      .join('\n');
    const policy = parsePolicy(active, 'policy.yaml');
    expect(policy.callers).toHaveLength(1);
    expect([...policy.profiles.keys()]).toStrictEqual(['everyone', 'writer']);
    expect([...policy.packages.keys(), policy.minimumIsolation]).toStrictEqual(['data-fetch', 'limits']);
    // The other two follow the machine's cores.
    const { maxConcurrentCalls: _, maxWarmProcesses: _w, ...limits } = policy.limits;
    const { maxConcurrentCalls: __, maxWarmProcesses: __w, ...defaults } = parsePolicy('', 'p').limits;
    expect(limits).toStrictEqual(defaults);
  });
});
