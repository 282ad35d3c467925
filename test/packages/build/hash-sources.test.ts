import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hashSources } from '../../../src/packages/build/hash-sources.ts';
import { makeDirectory, writeTree } from './support.ts';

async function hashOf(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await makeDirectory();
  await writeTree(directory, files);
  return hashSources(directory);
}

describe('hashSources', () => {
  it('passes over dot paths, installed modules and byte code', async () => {
    const noise = {
      '.env': 'x',
      '.git/HEAD': 'x',
      'node_modules/a/i.js': 'x',
      '__pycache__/a.pyc': 'x',
      'b.pyc': 'x',
    };

    expect(await hashOf({ 'a.txt': 'a', ...noise })).toBe(await hashOf({ 'a.txt': 'a' }));
  });

  it('sees contents, names, places and the right to be executed', async () => {
    const hashes = [
      await hashOf({ a: 'a' }),
      await hashOf({ a: 'b' }),
      await hashOf({ b: 'a' }),
      await hashOf({ 'd/a': 'a' }),
      await hashOf({ a: 'a', b: '' }),
      await hashOf({}),
    ];
    const directory = await makeDirectory();
    await writeFile(join(directory, 'a'), 'a');
    await chmod(join(directory, 'a'), 0o755);

    expect(new Set([...hashes, await hashSources(directory)]).size).toBe(7);
  });

  it('is not fooled by bytes that move between a name, a file and the next', async () => {
    const name = fc.stringMatching(/^[ab]{1,3}$/u);
    const tree = fc.dictionary(name, fc.stringMatching(/^[ab\0]{0,3}$/u), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(tree, tree, async (one, other) => {
        const same = sortedText(one) === sortedText(other);
        expect((await hashOf(one)) === (await hashOf(other))).toBe(same);
      }),
      { numRuns: 40 },
    );
  });

  it('follows a link to a file and does not fail on one that leads nowhere or in a circle', async () => {
    const directory = await makeDirectory();
    await mkdir(join(directory, 'd'));
    await symlink('/nowhere', join(directory, 'broken'));
    await symlink('.', join(directory, 'd/circle'));

    expect(await hashSources(directory)).toMatch(/^sha256:/u);
  });
});

function sortedText(files: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.keys(files)
      .toSorted()
      .map((path) => [path, files[path]]),
  );
}
