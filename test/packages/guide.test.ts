import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { packagesBuild } from '../../src/cli/packages-build.ts';
import { CommandDescriptionSchema, PackageManifestSchema } from '../../src/packages/contract.ts';
import { discoverPackages } from '../../src/packages/run/discover-packages.ts';
import { makeDirectory } from './build/support.ts';

const has = (program: string): boolean => spawnSync(program, ['--help']).error === undefined;
const GUIDE = resolve('tool-packages/README.md');
const FILE = /^`tool-packages\/([\w./-]+)`[^\n]*\n+```\w*\n([^]*?)^```$/gmu;

/** Writes the files that the guide shows for one package, as a reader would, beside the SDK. */
async function followGuide(name: string): Promise<string> {
  const root = await makeDirectory();
  await cp(resolve('tool-packages/sdk'), join(root, 'tool-packages/sdk'), { recursive: true });
  await symlink(resolve('node_modules'), join(root, 'node_modules'));
  for (const [, path = '', text = ''] of (await readFile(GUIDE, 'utf8')).matchAll(FILE)) {
    if (!path.startsWith(`${name}/`)) continue;
    const full = join(root, 'tool-packages', path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
    if (path.endsWith('/build')) await chmod(full, 0o755);
  }
  return root;
}

describe('an author who copies what the guide shows', () => {
  it.skipIf(!has('uv'))(
    'gets a Python package that counts words (needs uv on PATH)',
    async () => {
      const root = await followGuide('word-tools');
      execFileSync('uv', ['lock', '--quiet'], { cwd: join(root, 'tool-packages/word-tools') });
      expect(await tryOut(root, 'word-tools')).toEqual(WORD_COUNTER);
    },
    240_000,
  );

  it.skipIf(!has('go'))(
    'gets a Go package that counts words (needs go on PATH)',
    async () => {
      expect(await tryOut(await followGuide('word-count'), 'word-count')).toEqual(WORD_COUNTER);
    },
    240_000,
  );

  it('gets a Node package that counts words', async () => {
    expect(await tryOut(await followGuide('word-kit'), 'word-kit')).toEqual(WORD_COUNTER);
  }, 120_000);

  it('finds every member of tool-package.json and of a description in it', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const members = [
      ...Object.keys(PackageManifestSchema.properties),
      ...Object.keys(CommandDescriptionSchema.properties),
    ];

    expect(members.filter((member) => !guide.includes(`\`${member}\``))).toEqual([]);
  });
});

const WORD_COUNTER = {
  exitCode: 0,
  counted: { status: 0, stdout: { words: 6 } },
  refused: { status: 2, stdout: '' },
  unknown: { status: 2, stdout: '' },
  commands: [['count_words', 1]],
};

/** Builds it with the command line, calls it as the guide says, and lets the service's discovery look at it. */
async function tryOut(root: string, name: string): Promise<unknown> {
  const prebuilt = join(root, 'prebuilt');
  const exitCode = await packagesBuild({
    names: [name],
    force: false,
    sources: join(root, 'tool-packages'),
    output: prebuilt,
    environment: process.env,
    print: () => undefined,
  });
  const run = (...args: string[]) => {
    const { status, stdout } = spawnSync(join(prebuilt, name, 'launch'), args, { encoding: 'utf8' });
    return { status, stdout: status === 0 ? (JSON.parse(stdout) as unknown) : stdout };
  };
  const [found] = (await discoverPackages(prebuilt)).packages;
  return {
    exitCode,
    counted: run('count_words', '{"text":"to be or not to be"}'),
    refused: run('count_words', '{"txt":1}'),
    unknown: run('nonsense'),
    commands: found?.commands.map(({ spec }) => [spec.name, spec.examples?.length]),
  };
}
