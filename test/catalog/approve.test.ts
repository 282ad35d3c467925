import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type ApprovableTool, approvePolicy, type KnownTools } from '../../src/catalog/approve.ts';
import { checkPolicy } from '../../src/catalog/policy-parse.ts';
import type { Origin } from '../../src/core/tool.ts';

const tool = (ref: string, origin: Origin): ApprovableTool => ({
  ref,
  name: ref.split('@')[0] ?? '',
  origin,
  digest: `sha256:${origin}`,
});

const KNOWN: KnownTools = {
  tools: [
    tool('create_pdf@1', 'builtin'),
    tool('make_plan@1', 'builtin'),
    tool('status_update@1', 'repository'),
    tool('status_update@2', 'repository'),
    tool('letter@3', 'directory:ours'),
    tool('column_summary@0.1.0', 'package:csv'),
  ],
  refused: [{ ref: 'broken_skill@1', reason: 'Its template differs from its pin.' }],
};

function approve(text: string, known = KNOWN) {
  const { policy, faults } = checkPolicy({ text, source: 'policy.yaml' });
  expect(faults).toStrictEqual([]);
  return approvePolicy(policy, known);
}

describe('local', () => {
  it('[S1-13 S1-14] approves the built-ins and nothing else, whatever else is known', () => {
    const { approved, faults } = approve('approve: [local]');
    expect([...approved].toSorted()).toStrictEqual(['create_pdf@1', 'make_plan@1']);
    expect(faults).toStrictEqual([]);
  });

  it('[S1-15] approves nothing but built-ins among any tools of any origin', () => {
    const origin = fc.constantFrom<Origin>(
      'builtin',
      'repository',
      'directory:local',
      'directory:builtin',
      'package:local',
      'package:builtin',
    );
    const tools = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,3}@[1-3]$/u), origin), {
      selector: ([ref]) => ref,
    });
    const property = fc.property(tools, (pairs) => {
      const known = { tools: pairs.map(([ref, from]) => tool(ref, from)), refused: [] };
      const builtins = pairs.filter(([, from]) => from === 'builtin').map(([ref]) => ref);
      const { approved } = approve('approve: [local]', known);
      expect([...approved].toSorted()).toStrictEqual(builtins.toSorted());
    });
    expect(fc.check(property).failed).toBe(false);
  });

  it('goes together with exact refs', () => {
    const { approved, faults } = approve('approve: [local, status_update@1, make_plan@1]');
    expect([...approved].toSorted()).toStrictEqual(['create_pdf@1', 'make_plan@1', 'status_update@1']);
    expect(faults).toStrictEqual([]);
  });

  it('approves nothing where there are no built-ins', () => {
    const { approved, faults } = approve('approve: [local]', { tools: [], refused: [] });
    expect([approved.size, faults.length]).toStrictEqual([0, 0]);
  });
});

describe('an exact ref', () => {
  it.each(['create_pdf@1', 'status_update@2', 'letter@3'])('approves %s alone', (ref) => {
    const { approved, faults } = approve(`approve: [${ref}]`);
    expect([...approved]).toStrictEqual([ref]);
    expect(faults).toStrictEqual([]);
  });

  it.each(['csv@0.1.0', 'csv:column_summary@0.1.0', 'csv@0.1.0#sha256:package:csv'])(
    'approves the command of a package by %s',
    (entry) => {
      const { approved, faults } = approve(`approve: ['${entry}']`);
      expect([...approved]).toStrictEqual(['column_summary@0.1.0']);
      expect(faults).toStrictEqual([]);
    },
  );

  it('of a package approves nothing without the package in front of it', () => {
    const { approved, faults } = approve('approve: [column_summary@0.1.0]');
    expect(approved.size).toBe(0);
    expect(faults[0]?.remedy).toContain('csv:column_summary@0.1.0');
  });

  it('with another digest than that of the files is a fault that names both', () => {
    const { approved, faults } = approve("approve: ['csv@0.1.0#sha256:other']");
    expect(approved.size).toBe(0);
    expect(faults[0]?.message).toMatch(/sha256:other.*sha256:package:csv/u);
  });

  it('lets a profile name a package, its command, or the bare command', () => {
    for (const entry of ['csv', 'csv:column_summary', 'column_summary', 'csv@0.1.0']) {
      const { profiles, faults } = approve(`approve: [csv@0.1.0]\nprofiles: {p: {tools: ['${entry}']}}`);
      expect(faults).toStrictEqual([]);
      expect([...(profiles.get('p') ?? [])]).toStrictEqual(['column_summary@0.1.0']);
    }
  });

  it('approves nothing when the list is empty or absent', () => {
    for (const text of ['approve: []', '']) expect(approve(text).approved.size).toBe(0);
  });

  it('whose tool was refused is reported and is no fault', () => {
    const { approved, faults, deadEntries } = approve('approve: [broken_skill@1, create_pdf@1]');
    expect([...approved]).toStrictEqual(['create_pdf@1']);
    expect(faults).toStrictEqual([]);
    expect(deadEntries).toStrictEqual([
      { entry: 'broken_skill@1', reason: 'Its template differs from its pin.' },
    ]);
  });
});

describe('two tools with one name', () => {
  it('stop the boot with both sides when both are approved', () => {
    const { faults } = approve('approve:\n  - status_update@1\n  - status_update@2\n');
    expect(faults).toStrictEqual([
      {
        source: 'policy.yaml',
        line: 3,
        column: 5,
        message:
          'Only one approved tool can have the name status_update: there are status_update@1 (repository) and status_update@2 (repository).',
        remedy: 'Approve one of them.',
      },
    ]);
  });

  it('are fine when one of them is approved', () => {
    expect(approve('approve: [status_update@1]').faults).toStrictEqual([]);
  });

  it('stop the boot when a name of ours is approved at another version too', () => {
    const known = { ...KNOWN, tools: [...KNOWN.tools, tool('create_pdf@2', 'directory:ours')] };
    expect(approve('approve: [local]', known).faults).toStrictEqual([]);
    expect(approve('approve: [local, create_pdf@2]', known).faults).toMatchObject([
      { message: expect.stringContaining('create_pdf@1 (builtin) and create_pdf@2 (directory:ours)') },
    ]);
  });

  it('and one ref stop the boot even when only the built-in is approved, as a grant cannot tell them apart', () => {
    const known = { ...KNOWN, tools: [...KNOWN.tools, tool('create_pdf@1', 'package:evil')] };
    expect(approve('approve: [local]', known).faults).toMatchObject([
      {
        message: expect.stringContaining('create_pdf@1 (builtin) and create_pdf@1 (package:evil)'),
        remedy: 'Take one of them away, or give it another name.',
      },
    ]);
    expect(approve('approve: [make_plan@1]', known).faults).toStrictEqual([]);
  });
});

describe('a profile', () => {
  it('names tools by name or ref and holds those that are approved', () => {
    const { profiles, deadEntries, faults } = approve(
      'approve: [local]\nprofiles: {p: {tools: [create_pdf, make_plan@1, letter]}, none: {tools: []}, all: {}}\n',
    );
    expect(faults).toStrictEqual([]);
    expect([...(profiles.get('p') ?? [])]).toStrictEqual(['create_pdf@1', 'make_plan@1']);
    expect(profiles.get('none')?.size).toBe(0);
    expect(profiles.has('all')).toBe(false);
    expect(deadEntries).toStrictEqual([
      { entry: 'letter@3', reason: 'It stands in the list of the profile p and is not approved.' },
    ]);
  });

  it('cannot name a bundle, and says so', () => {
    expect(approve('profiles: {p: {tools: [local]}}').faults).toMatchObject([
      { line: 1, column: 24, remedy: 'It is a bundle, which only approves; a profile names each tool.' },
    ]);
  });

  it.each([
    ['creat_pdf', /^Did you mean create_pdf\?/u],
    ['create_pdf@2', /^Did you mean create_pdf@1/u],
    ['CREATE_PDF', /^Did you mean create_pdf/u],
  ])('cannot name %s, which does not exist', (name, remedy) => {
    expect(approve(`profiles: {p: {tools: [${name}]}}`).faults[0]?.remedy).toMatch(remedy);
  });

  it('may name a refused tool by its name', () => {
    const { faults, deadEntries } = approve('profiles: {p: {tools: [broken_skill]}}');
    expect([faults.length, deadEntries.length]).toStrictEqual([0, 1]);
  });
});

describe('a caller', () => {
  const caller = (entries: string): string =>
    `approve: [local]\ncallers: [{name: a, key_sha256: ${'a1'.repeat(32)}, roles: [runner], approve: [${entries}]}]\n`;

  it('gets the part of what is approved that its list names', () => {
    const { callers, faults, deadEntries } = approve(caller('make_plan@1, letter@3'));
    expect(faults).toStrictEqual([]);
    expect([...(callers.get('a') ?? [])]).toStrictEqual(['make_plan@1']);
    expect(deadEntries.map(({ entry }) => entry)).toStrictEqual(['letter@3']);
  });

  it('may be given local', () => {
    expect(approve(caller('local')).callers.get('a')).toStrictEqual(new Set(['create_pdf@1', 'make_plan@1']));
  });

  it('with an unknown ref or a bare name stops the boot', () => {
    expect(approve(caller('make_plan, nope@1')).faults).toHaveLength(2);
  });
});
