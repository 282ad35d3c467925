import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { comparePin } from '../../src/skills/compare-pin.ts';
import { digestFiles } from '../../src/skills/digest.ts';
import { readFileSet, type SkillFile } from '../../src/skills/read-file-set.ts';
import { makeDirectory, methodSkill, writeSkill } from './skill-dirs.ts';

const file = fc.record({
  path: fc.string({ unit: fc.constantFrom('a', 'b', '/', '1'), minLength: 1, maxLength: 6 }),
  bytes: fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
  executable: fc.boolean(),
});
const fileSet = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 4 });

function asJson(files: readonly SkillFile[]): string {
  return JSON.stringify(
    files.map(({ path, bytes, executable }) => [path, bytes.toString('hex'), executable]),
  );
}

describe('digestFiles', () => {
  it('[D24] gives two file sets one digest only if they are the same', () => {
    fc.assert(
      fc.property(fileSet, fileSet, (a, b) => {
        expect(digestFiles(a).digest === digestFiles(b).digest).toBe(asJson(a) === asJson(b));
      }),
    );
  });

  it('[D24] keeps apart what a plain concatenation would not', () => {
    const make = (path: string, content: string) => ({
      path,
      bytes: Buffer.from(content),
      executable: false,
    });
    const sets = [
      [make('a', 'bc')],
      [make('ab', 'c')],
      [make('a', 'b'), make('c', '')],
      [make('a', ''), make('bc', '')],
      [make('a', 'bc'), make('d', '')],
    ];
    expect(new Set(sets.map((files) => digestFiles(files).digest)).size).toBe(sets.length);
  });

  it('does not change from one version of the service to the next', () => {
    const files = [{ path: 'SKILL.md', bytes: Buffer.from('x\n'), executable: false }];
    expect(digestFiles(files)).toEqual({
      digest: 'sha256:fc9d269c5c5b8310423595ab96ec53f2b1adf0cd0273e23241e986406e9b9b1d',
      files: new Map([
        ['SKILL.md', 'sha256:73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac'],
      ]),
    });
  });
});

describe('a change after pinning is named', () => {
  const more = 'references/more.md';
  it.each<[string, (root: string) => void, string[]]>([
    ['added', (root) => writeFileSync(join(root, 'new.md'), ''), ['new.md was added']],
    ['removed', (root) => rmSync(join(root, more)), [`${more} is missing`]],
    [
      'renamed',
      (root) => renameSync(join(root, more), join(root, 'references/less.md')),
      ['references/less.md was added', `${more} is missing`],
    ],
    [
      'mode changed',
      (root) => chmodSync(join(root, 'scripts/run.sh'), 0o755),
      ['scripts/run.sh was made executable'],
    ],
    [
      'line endings changed',
      (root) => writeFileSync(join(root, more), '# More\r\n'),
      [`${more} was changed`],
    ],
    [
      'one bit changed',
      (root) => writeFileSync(join(root, 'assets/dot.bin'), Buffer.from([0, 255, 1, 255])),
      ['assets/dot.bin was changed'],
    ],
  ])('[D24] %s', (_what, change, expected) => {
    const root = writeSkill(makeDirectory(), 'do-it-well', methodSkill());
    const pinned = digestFiles(readFileSet(root).files);
    expect(comparePin(pinned, digestFiles(readFileSet(root).files))).toEqual([]);
    change(root);
    const found = digestFiles(readFileSet(root).files);
    expect(found.digest).not.toBe(pinned.digest);
    expect(comparePin(pinned, found)).toEqual(expected);
  });
});
