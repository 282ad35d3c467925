import { describe, expect, it } from 'vitest';

import { checkPolicy } from '../../src/catalog/policy-parse.ts';
import type { BootFault } from '../../src/core/boot-error.ts';

const HASH = 'a1'.repeat(32);
const OTHER = 'b2'.repeat(32);

function faultsOf(text: string): readonly BootFault[] {
  return checkPolicy({ text, source: 'p' }).faults;
}

const caller = (members: string): string => `callers:\n  - {${members}}\n`;
const whole = (extra: string): string => caller(`name: a, key_sha256: ${HASH}, roles: [runner], ${extra}`);

describe('a value of the wrong kind', () => {
  it.each([
    ['[]', { line: 1, column: 1, message: 'The policy is an empty list.' }],
    ['local', { line: 1, column: 1, message: 'The policy is "local".' }],
    ['approve:', { line: 1, column: 9, message: 'approve is empty.' }],
    ['approve: local', { line: 1, column: 10, message: 'approve is "local".' }],
    ['approve: {local: true}', { line: 1, column: 10, message: 'approve is a map.' }],
    ['approve: [1]', { line: 1, column: 11, message: 'approve[0] is the number 1.' }],
    ['approve: [yes, true]', { line: 1, column: 16, message: 'approve[1] is the boolean true.' }],
    ['approve: [""]', { line: 1, column: 11, message: 'approve[0] is "".' }],
    ['approve: [[local]]', { line: 1, column: 11, message: 'approve[0] is a list.' }],
    [`approve: [${'a'.repeat(257)}]`, { line: 1, column: 11, message: `approve[0] is "${'a'.repeat(79)}….` }],
    ['limits: {max_queued_calls: "5"}', { line: 1, column: 28, message: 'limits.max_queued_calls is "5".' }],
    [
      'limits: {max_queued_calls: 1.5}',
      { line: 1, column: 28, message: 'limits.max_queued_calls is the number 1.5.' },
    ],
    [
      'limits: {max_queued_calls: -1}',
      { line: 1, column: 28, message: 'limits.max_queued_calls is the number -1.' },
    ],
    [
      'limits: {max_queued_calls: 12345678901234567890}',
      { line: 1, column: 28, message: expect.stringMatching(/the number 12345678901234567000/u) },
    ],
    ['default_profile: ""', { line: 1, column: 18, message: 'default_profile is "".' }],
    ['profiles: [a]', { line: 1, column: 11, message: 'profiles is a list.' }],
    ['profiles: {a: null}', { line: 1, column: 15, message: 'profiles.a is empty.' }],
    ['profiles: {a b: {}}', { line: 1, column: 12, message: 'profiles holds the name "a b".' }],
    ['profiles: {a: {tool: []}}', { line: 1, column: 16, message: 'profiles.a has the unknown key "tool".' }],
    ['callers: {}', { line: 1, column: 10, message: 'callers is a map.' }],
    [
      caller(`name: ä, key_sha256: ${HASH}, roles: [runner]`),
      { line: 2, column: 12, message: 'callers[0].name is "ä".' },
    ],
    [
      caller(`name: a, key_sha256: ${HASH.toUpperCase()}, roles: [runner]`),
      { line: 2, column: 27, message: expect.stringMatching(/a text of 64 characters/u) },
    ],
    [
      caller(`name: a, key_sha256: ${HASH}0, roles: [runner]`),
      { line: 2, column: 27, message: expect.stringMatching(/a text of 65 characters/u) },
    ],
    [
      caller(`name: a, key_sha256: ${HASH}, roles: []`),
      { line: 2, column: 100, message: 'callers[0].roles is an empty list.' },
    ],
    [
      caller(`name: a, key_sha256: ${HASH}, roles: [admin]`),
      { line: 2, column: 101, message: 'callers[0].roles[0] is "admin".' },
    ],
    [
      caller(`name: a, key_sha256: ${HASH}, roles: [runner, runner]`),
      { line: 2, column: 100, message: 'callers[0].roles is a list.' },
    ],
    [whole('key: x'), { line: 2, column: 110, message: 'callers[0] has the unknown key "key".' }],
    [whole('expires: 2031-12-31'), { line: 2, column: 119, message: 'callers[0].expires is "2031-12-31".' }],
    [
      whole('expires: 2031-12-31T23:59:59'),
      { line: 2, column: 119, message: expect.stringMatching(/expires is/u) },
    ],
    [
      whole('expires: 2031-02-30T00:00:00Z'),
      { line: 2, column: 119, message: 'There is no such moment as "2031-02-30T00:00:00Z".' },
    ],
    [
      whole('expires: 2031-01-01T25:00:00Z'),
      { line: 2, column: 119, message: expect.stringMatching(/no such moment/u) },
    ],
    [whole('profile: nobody'), { line: 2, column: 119, message: 'The profile "nobody" is unknown.' }],
    [
      'approve: [local, a@1, local]',
      { line: 1, column: 23, message: '"local" stands twice (first in line 1).' },
    ],
    [
      'profiles:\n  a:\n    tools:\n      - x\n      - x',
      { line: 5, column: 9, message: '"x" stands twice (first in line 4).' },
    ],
    [
      'profiles: {a: {skills: [x, x]}}',
      { line: 1, column: 28, message: '"x" stands twice (first in line 1).' },
    ],
    [
      whole('approve: [a@1, a@1]'),
      { line: 2, column: 125, message: '"a@1" stands twice (first in line 2).' },
    ],
    [
      'limits: {artifact_store_bytes: 1024}',
      {
        line: 1,
        column: 32,
        message: expect.stringMatching(/does not fit into artifact_store_bytes \(1024\)/u),
      },
    ],
  ])('%j is refused at its place, once', (text, expected) => {
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ source: 'p', ...expected, remedy: expect.stringMatching(/\.$/u) });
  });

  it('tells to put a number or a boolean in quotes where a text belongs', () => {
    expect(faultsOf('approve: [1]')[0]?.remedy).toMatch(/Put it in quotes\.$/u);
    expect(faultsOf('approve: [[]]')[0]?.remedy).not.toContain('quotes');
  });

  it('names both callers with one name, and both with one key', () => {
    const text = `callers:\n  - {name: a, key_sha256: ${HASH}, roles: [runner]}\n  - {name: a, key_sha256: ${OTHER}, roles: [runner]}\n  - {name: b, key_sha256: ${HASH}, roles: [runner]}\n`;
    expect(faultsOf(text)).toMatchObject([
      { line: 3, column: 12, message: 'The caller "a" stands twice (first in line 2).' },
      { line: 4, column: 27, message: 'This key stands twice (first in line 2).' },
    ]);
  });

  it('names one fault a place, and no digit of what may be a key', () => {
    for (const key of ['0'.repeat(64), '7'.repeat(64), `1${'0'.repeat(40)}e9`]) {
      const faults = faultsOf(caller(`name: a, key_sha256: ${key}, roles: [runner]`));
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({ line: 2, column: 27 });
      expect(JSON.stringify(faults)).not.toMatch(/000|777|1e/u);
    }
  });

  it('suggests the nearest key', () => {
    expect(faultsOf('callers:\n  - {nme: a}\n').at(-1)?.remedy).toMatch(
      /^Did you mean name\? Known keys: name, /u,
    );
    expect(faultsOf('limits: {artifact_ttl: 1}')[0]?.remedy).toMatch(/^Did you mean artifact_ttl_ms\?/u);
    expect(faultsOf('profiles: {writer: {}}\ndefault_profile: wrtier')[0]?.remedy).toBe(
      'Did you mean writer? Known: writer.',
    );
  });
});
