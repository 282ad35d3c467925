import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { BootError } from '../../../src/core/boot-error.ts';
import { discoverPackages } from '../../../src/packages/run/discover-packages.ts';
import { GREETER, makeWorkshop, printer, programPackage, runPlainly, under, writeTree } from './support.ts';

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'));
}

describe('buildPackages', () => {
  it('[S2-32.6] [S2-18] [S2-28] writes commands and schemas beside the launcher, from a package in plain sh', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));

    const report = await shop.build();

    expect(report.outcomes).toEqual([{ name: 'greeter', outcome: 'built' }]);
    expect((await readdir(join(shop.output, 'greeter'))).toSorted()).toEqual([
      'commands.json',
      'launch',
      'manifest.json',
      'schemas',
    ]);
    expect(await readJson(join(shop.output, 'greeter/commands.json'))).toEqual([
      { name: 'greet', description: 'Greets a person.' },
    ]);
    expect(await readJson(join(shop.output, 'greeter/schemas/greet.json'))).toMatchObject({
      name: 'greet',
      params_json_schema: { type: 'object' },
    });
  });

  it('[S2-32.7] [S2-24] skips a package whose source is unchanged, and says so', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await shop.build();
    const before = await stat(join(shop.output, 'greeter/manifest.json'));
    await utimes(join(shop.sources, 'greeter/program'), new Date(), new Date());

    const report = await shop.build({ run: async () => Promise.reject(new Error('must not run')) });

    expect(report.outcomes).toEqual([{ name: 'greeter', outcome: 'unchanged' }]);
    expect((await stat(join(shop.output, 'greeter/manifest.json'))).ino).toBe(before.ino);
    expect(shop.lines.at(-1)).toBe('[1/1] greeter: unchanged, skipped');
  });

  it('[S2-32.8] [S2.2.4-2] builds again when the source changes, even with the same times', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await shop.build();
    const program = join(shop.sources, 'greeter/program');
    const { atime, mtime } = await stat(program);
    await writeFile(program, GREETER.replaceAll('Greets a person.', 'Greets one person'));
    await utimes(program, atime, mtime);

    const report = await shop.build();

    expect(report.outcomes).toEqual([{ name: 'greeter', outcome: 'built' }]);
    expect(await readFile(join(shop.output, 'greeter/commands.json'), 'utf8')).toContain('Greets one person');
  });

  it('[S2.2.4-2] builds an unchanged package when it is forced', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await shop.build();

    const report = await shop.build({ force: true });

    expect(report.outcomes).toEqual([{ name: 'greeter', outcome: 'built' }]);
  });

  it('builds again when a built file was touched, another builder made it, or the manifest is torn', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    const manifest = join(shop.output, 'greeter/manifest.json');
    await shop.build();

    await writeFile(join(shop.output, 'greeter/launch'), `${GREETER}# edited\n`);
    expect((await shop.build()).outcomes[0]?.outcome).toBe('built');
    expect(shop.lines.join('\n')).toContain('its files were changed after it was built');

    const text = await readFile(manifest, 'utf8');
    await writeFile(manifest, text.replace(/"builder": "[^"]*"/u, `"builder": "sha256:${'0'.repeat(64)}"`));
    expect((await shop.build()).outcomes[0]?.outcome).toBe('built');
    expect(shop.lines.join('\n')).toContain('the builder has changed');

    await writeFile(manifest, text.slice(0, 100));
    expect((await shop.build()).outcomes[0]?.outcome).toBe('built');
    expect(shop.lines.join('\n')).toContain('its manifest cannot be read');
  });

  it('[S2-30] gives the same bytes for the same source', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await shop.build();
    const first = await readFile(join(shop.output, 'greeter/manifest.json'), 'utf8');

    await shop.build({ force: true });

    expect(await readFile(join(shop.output, 'greeter/manifest.json'), 'utf8')).toBe(first);
  });

  it('[S2.3-17] leaves the last good build in place, and no trace of the bad one, when a build fails', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await shop.build();
    const good = await readFile(join(shop.output, 'greeter/manifest.json'), 'utf8');
    await writeFile(join(shop.sources, 'greeter/program'), printer('not json'));

    await expect(shop.build()).rejects.toThrow(BootError);

    expect(await readFile(join(shop.output, 'greeter/manifest.json'), 'utf8')).toBe(good);
    expect(await readdir(shop.output)).toEqual(['greeter']);
    expect((await discoverPackages(shop.output)).packages).toHaveLength(1);
  });

  it('[S2.3-17] shows either the old package or the new one at every moment of the launcher being asked', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await shop.build();
    const seen: number[] = [];

    await shop.build({
      force: true,
      run: async (request) => {
        seen.push((await discoverPackages(shop.output)).packages.length);
        return runPlainly(request);
      },
    });

    expect(seen).toEqual([1, 1, 1]);
  });

  it('removes what a build that was killed left behind', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('greeter', programPackage()));
    await mkdir(join(shop.output, '.build-999999999-abc/package'), { recursive: true });

    await shop.build();

    expect(await readdir(shop.output)).toEqual(['greeter']);
  });

  it('builds the others when one fails, then tells all that failed', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, {
      ...under('bad-one', programPackage(printer('nonsense'))),
      ...under('bad-two', programPackage(GREETER, {})),
      ...under('good', programPackage()),
    });

    const error = await shop.build().catch((error: unknown) => error);

    expect(error).toBeInstanceOf(BootError);
    expect((error as BootError).faults.map(({ source }) => source)).toEqual([
      join(shop.sources, 'bad-one'),
      join(shop.sources, 'bad-two'),
    ]);
    expect((error as BootError).faults[1]?.message).toContain('lacks version');
    expect(await readdir(shop.output)).toEqual(['good']);
  });

  it('points at a prebuilt package whose source is gone, and leaves it', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, { ...under('one', programPackage()), ...under('two', programPackage()) });
    await shop.build();
    await rename(join(shop.sources, 'two'), join(shop.sources, '.two'));

    await shop.build();

    expect(shop.lines.at(-1)).toBe(
      `${join(shop.output, 'two')} has no source here; remove it if it is not wanted.`,
    );
    expect((await readdir(shop.output)).toSorted()).toEqual(['one', 'two']);
  });

  it('builds only what is named, and answers a name it does not know with the nearest it does', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, { ...under('one', programPackage()), ...under('two', programPackage()) });

    expect((await shop.build({ names: ['two'] })).outcomes.map(({ name }) => name)).toEqual(['two']);
    await expect(shop.build({ names: ['tvo'] })).rejects.toThrow(
      'There is no package "tvo" here. Use one of: two',
    );
    await expect(shop.build({ names: ['../two'] })).rejects.toThrow('There is no package "../two" here.');
  });

  it('passes over directories that are no packages, and names the directory of sources when it is missing', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, { 'sdk/notes.txt': 'x', 'README.md': 'x', '.hidden/build': '#!/bin/sh\n' });

    expect((await shop.build()).outcomes).toEqual([]);
    await rename(shop.sources, `${shop.sources}-gone`);
    await expect(shop.build()).rejects.toThrow(
      `${shop.sources}: The directory of package sources is missing.`,
    );
  });
});
