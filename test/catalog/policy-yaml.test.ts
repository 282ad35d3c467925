import { describe, expect, it } from 'vitest';

import { checkPolicy } from '../../src/catalog/policy-parse.ts';
import type { BootFault } from '../../src/core/boot-error.ts';

function faultsOf(text: string): readonly BootFault[] {
  return checkPolicy({ text, source: 'p' }).faults;
}

describe('a fault in the YAML', () => {
  it.each([
    [
      'a duplicate key',
      'approve: []\napprove: [local]\n',
      { line: 2, column: 1, message: expect.stringMatching(/"approve" stands twice/u) },
    ],
    [
      'a duplicate key in a map below',
      'profiles:\n  a: {}\n  "a": {}\n',
      { line: 3, column: 3, message: expect.stringMatching(/"a" stands twice/u) },
    ],
    ['an anchor', 'approve: &x []\n', { line: 1, column: 13, message: expect.stringMatching(/anchor/u) }],
    [
      'an alias',
      'approve: &x []\nprofiles: *x\n',
      { line: 2, column: 11, message: expect.stringMatching(/alias/u) },
    ],
    [
      'an alias as a key',
      'approve: &x a\n*x : b\n',
      { line: 2, column: 1, message: expect.stringMatching(/key/u) },
    ],
    [
      'a tag of its own',
      'approve: !env []\n',
      { line: 1, column: 15, message: expect.stringMatching(/tag/u) },
    ],
    [
      'a core tag',
      'approve:\n  - !!str 1\n',
      { line: 2, column: 11, message: expect.stringMatching(/tag/u) },
    ],
    [
      'a merge key',
      '<<: {approve: [local]}\n',
      { line: 1, column: 1, message: expect.stringMatching(/key that is not a name/u) },
    ],
    [
      'a key that is a list',
      '? [approve]\n: []\n',
      { line: 1, column: 3, message: expect.stringMatching(/key that is not a name/u) },
    ],
    [
      'a key that is a number',
      'profiles: {7: {}}\n',
      { line: 1, column: 12, message: expect.stringMatching(/key that is not a name/u) },
    ],
    [
      'a key that is empty',
      ': 1\n',
      { line: 1, column: 1, message: expect.stringMatching(/key that is not a name/u) },
    ],
    [
      'a second document',
      'approve: []\n---\napprove: [local]\n',
      { line: 2, column: 1, message: expect.stringMatching(/second document/u) },
    ],
    [
      'a tab',
      'limits:\n\tmax_queued_calls: 1\n',
      { line: 2, column: 1, message: expect.stringMatching(/Tabs/u) },
    ],
    [
      'an open bracket',
      'approve: [local\n',
      { line: 2, column: 1, message: expect.stringMatching(/not YAML/u) },
    ],
    [
      'an unquoted colon',
      'default_profile: a: b\n',
      { line: 1, column: 18, message: expect.stringMatching(/not YAML/u) },
    ],
    [
      'a reserved character',
      'approve:\n  - @x\n',
      { line: 2, column: 5, message: expect.stringMatching(/reserved/u) },
    ],
    [
      'an unknown directive',
      '%POLICY\n---\napprove: []\n',
      { line: 1, column: 1, message: expect.stringMatching(/directive/iu) },
    ],
    [
      'an octal-looking number',
      'limits: {max_queued_calls: 010}\n',
      { line: 1, column: 28, message: expect.stringMatching(/two ways/u) },
    ],
    [
      'a hexadecimal number',
      'limits: {max_queued_calls: 0x10}\n',
      { line: 1, column: 28, message: expect.stringMatching(/two ways/u) },
    ],
    [
      'an exponent',
      'limits: {max_queued_calls: 1e3}\n',
      { line: 1, column: 28, message: expect.stringMatching(/two ways/u) },
    ],
  ])('%s is refused at its place', (_, text, expected) => {
    const faults = faultsOf(text);
    expect(faults).toContainEqual(expect.objectContaining(expected));
    for (const { remedy } of faults) expect(remedy).not.toBe('');
  });

  it('nesting is refused long before it could use up the stack', () => {
    const nest = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(faultsOf(nest(60))).toMatchObject([{ message: 'The policy is a list.' }]);
    for (const text of [nest(70), '[{a: '.repeat(2000), '- '.repeat(2000), '? '.repeat(2000)]) {
      expect(faultsOf(text)).toMatchObject([
        { line: 1, message: /nesting is too deep/u, remedy: 'Nest less deeply.' },
      ]);
    }
  });

  it('does not let a key reach a prototype', () => {
    expect(faultsOf('__proto__: {approve: [local]}\n')).toHaveLength(1);
    expect(faultsOf('profiles: {__proto__: {}}\n')).toMatchObject([
      { message: /holds the name "__proto__"/u },
    ]);
    expect(faultsOf('profiles: {constructor: {tools: []}}\ndefault_profile: constructor\n')).toStrictEqual(
      [],
    );
    expect(faultsOf('default_profile: toString\n')).toMatchObject([{ message: /"toString" is unknown/u }]);
    expect(({} as Record<string, unknown>)['approve']).toBeUndefined();
  });
});
