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

/** A text is expected whole. */
function toPattern(expected: string | RegExp): RegExp {
  return expected instanceof RegExp
    ? expected
    : new RegExp(`^${expected.replaceAll(/[.*^$|]/gu, String.raw`\$&`)}$`, 'u');
}

describe('an entry that matches no tool', () => {
  it.each([
    ['create_pdf', '"create_pdf" names no version.', 'Write create_pdf@1.'],
    ['status_update', '"status_update" names no version.', 'Write status_update@1 or status_update@2.'],
    ['create_pdf@', '"create_pdf" names no version.', 'Write create_pdf@1.'],
    ['create_pdf@latest', /"latest" of create_pdf floats/u, 'Write create_pdf@1.'],
    ['create_pdf@LATEST', /floats/u, 'Write create_pdf@1.'],
    ['status_update@*', /"\*" of status_update floats/u, 'Write status_update@1 or status_update@2.'],
    ['create_pdf@^1', /floats/u, 'Write create_pdf@1.'],
    ['create_pdf@~1.0', /floats/u, 'Write create_pdf@1.'],
    ['create_pdf@>=1', /floats/u, 'Write create_pdf@1.'],
    ['create_pdf@1 || 2', /floats/u, 'Write create_pdf@1.'],
    ['create_pdf@1.x', /floats/u, 'Write create_pdf@1.'],
    ['create_pdf@x', /floats/u, 'Write create_pdf@1.'],
    ['create_pdf@2', 'There is no version "2" of create_pdf.', 'Write create_pdf@1.'],
    ['create_pdf@01', 'There is no version "01" of create_pdf.', 'Write create_pdf@1.'],
    ['create_pdf@1@1', 'There is no version "1@1" of create_pdf.', 'Write create_pdf@1.'],
    ['creat_pdf@1', 'There is no tool "creat_pdf@1".', /^Did you mean create_pdf@1\? Known: local, /u],
    ['CREATE_PDF@1', 'There is no tool "CREATE_PDF@1".', /^Did you mean create_pdf@1/u],
    ['Local', 'There is no tool "Local".', /^Did you mean local/u],
    [' local', 'There is no tool " local".', /^Did you mean local/u],
    ['cre\u0430te_pdf@1', /"cre\u0430te_pdf@1"\. It holds U\+0430, and names are ASCII\./u, /create_pdf@1/u],
    ['lоcal', /It holds U\+043E/u, /^Did you mean local/u],
    ['local\u200b', /"local\\u\{200b\}"\. It holds U\+200B/u, /^Did you mean local/u],
    [
      '@1',
      'There is no tool "@1".',
      /Known: local, create_pdf@1, csv:column_summary@0\.1\.0, csv@0\.1\.0, /u,
    ],
    ['*', 'There is no tool "*".', /Known: local/u],
    ['local@1', 'There is no tool "local@1".', /Did you mean local/u],
    ['builtin', 'There is no tool "builtin".', /Known: local/u],
    ['repository', 'There is no tool "repository".', /Known: local/u],
    ['__proto__', 'There is no tool "__proto__".', /Known: local/u],
  ])('%j is refused: what is wrong, and what would be right', (entry, message, remedy) => {
    const { approved, faults } = approve(`approve:\n  - local\n  - ${JSON.stringify(entry)}\n`);
    expect(approved.size).toBe(2);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({
      source: 'policy.yaml',
      line: 3,
      column: 5,
      message: expect.stringMatching(toPattern(message)),
      remedy: expect.stringMatching(toPattern(remedy)),
    });
  });

  it('is one of many that all come back', () => {
    const { faults } = approve('approve: [a@1, b@1, c]\nprofiles: {p: {tools: [d]}}\n');
    expect(faults.map(({ message }) => message)).toStrictEqual([
      'There is no tool "a@1".',
      'There is no tool "b@1".',
      'There is no tool "c".',
      'There is no tool "d".',
    ]);
  });

  it('is counted past the first 200', () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => `nope_${index}@1`);
    const { faults } = approve(`approve: [${entries.join(', ')}]`);
    expect(faults).toHaveLength(201);
    expect(faults.at(-1)?.message).toBe('19800 more entries match no tool.');
  });

  it('lists at most 20 known refs and counts the rest', () => {
    const tools = Array.from({ length: 30 }, (_, index) => tool(`t${index}@1`, 'builtin'));
    const { faults } = approve('approve: [zzzzzzzzzzzz@9]', { tools, refused: [] });
    expect(faults[0]?.remedy).toMatch(/^Known: local, t0@1, .* and 11 more\.$/u);
  });
});
