import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { discoverPackages } from '../../src/packages/run/discover-packages.ts';
import { makeDirectory, makeWorkshop, programPackage, under, writeTree } from './build/support.ts';
import { faultsOf, makePrebuilt, resign, TWO_COMMANDS } from './discover-support.ts';

describe('discoverPackages', () => {
  it('[S2-32.9] [S2-32.10] [S2-32.11] [S2.2.3-3] gives every command of every package, sorted, with its spec whole', async () => {
    const directory = await makePrebuilt();
    await writeFile(join(directory, 'stray.txt'), 'x');
    await mkdir(join(directory, '.build-1-x'));

    const { packages, refusals } = await discoverPackages(directory);

    expect(refusals).toEqual([]);
    expect(packages.map(({ name, commands }) => [name, commands.map((command) => command.name)])).toEqual([
      ['one', ['alpha', 'zeta']],
      ['two', ['greet']],
    ]);
    expect(packages[0]).toMatchObject({
      version: '1.2.3',
      directory: join(directory, 'one'),
      launcher: join(directory, 'one/launch'),
      stdin: true,
      files: true,
      hosts: ['a.example:8080'],
      limits: { timeoutMs: 5_000, idleMs: 900, memoryMb: 128 },
    });
    expect(packages[0]?.commands[0]?.spec).toEqual({
      name: 'alpha',
      version: '1.2.3',
      kind: 'tool',
      origin: 'package:one',
      summary: 'Does alpha.',
      description: 'Does alpha. Then stops.',
      inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
      lane: 'process',
      triggers: ['a n'],
      produces: ['text/csv'],
      limits: { timeoutMs: 5_000 },
      digest: packages[0]?.digest,
    });
    expect(packages[1]).toMatchObject({ stdin: false, files: false, hosts: [], limits: {} });
  });

  it('[S2.3-5] starts nothing: a launcher that leaves a mark when it runs leaves none', async () => {
    const shop = await makeWorkshop();
    const mark = join(shop.output, '../mark');
    await writeTree(
      shop.sources,
      under('one', programPackage(TWO_COMMANDS.replace('#!/bin/sh', `#!/bin/sh\ntouch ${mark}`))),
    );
    await shop.build();
    await rm(mark);

    await discoverPackages(shop.output);

    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });

  it('[S2.2.3-2] names the command that builds packages when the directory is missing', async () => {
    expect(await faultsOf('/nowhere/prebuilt')).toBe(
      '/nowhere/prebuilt: The directory of prebuilt tool packages is missing. Build the packages with `npm run prebuild`, or configure no directory of packages.',
    );
  });

  it('[S2.2.3-4] gives a package without commands, exposing nothing', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('carrier', programPackage("#!/bin/sh\necho '[]'\n")));
    await shop.build();

    expect((await discoverPackages(shop.output)).packages[0]).toMatchObject({
      name: 'carrier',
      commands: [],
    });
  });

  it('gives nothing for an empty directory', async () => {
    expect(await discoverPackages(await makeDirectory())).toEqual({ packages: [], refusals: [] });
  });

  it('gives the same digest for the same package elsewhere, and another one after a change', async () => {
    const directory = await makePrebuilt();
    const [before] = (await discoverPackages(directory)).packages;
    const moved = `${directory}-moved`;
    await rename(directory, moved);
    const [after] = (await discoverPackages(moved)).packages;
    await writeFile(join(moved, 'one/launch'), `${TWO_COMMANDS}\n# more\n`);
    await resign(join(moved, 'one'), 'launch');
    const [changed] = (await discoverPackages(moved)).packages;

    expect(after?.digest).toBe(before?.digest);
    expect(changed?.digest).not.toBe(before?.digest);
  });

  it('follows a package directory that is a link, to the place itself', async () => {
    const directory = await makePrebuilt();
    const other = await makeDirectory();
    await symlink(join(directory, 'two'), join(other, 'two'));

    expect((await discoverPackages(other)).packages[0]?.directory).toBe(join(directory, 'two'));
  });
});
