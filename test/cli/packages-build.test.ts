import { readdir } from 'node:fs/promises';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { packagesBuild } from '../../src/cli/packages-build.ts';
import { makeWorkshop, printer, programPackage, under, writeTree } from '../packages/build/support.ts';

/** What the command line printed, line by line. */
function listen(): string[] {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: unknown) => void lines.push(String(line)));
  return lines;
}

describe('packages build', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('builds, shows progress on stderr, and ends with 0; the second time it starts nothing', async () => {
    const shop = await makeWorkshop();
    const lines = listen();
    await writeTree(shop.sources, under('greeter', programPackage()));
    const argv = ['--sources', shop.sources, '--output', shop.output];

    expect(await packagesBuild(argv)).toBe(0);
    expect(lines.join('\n')).toMatch(
      /^\[1\/1\] greeter: building[^]*isolation[^]*\[1\/1\] greeter: built in/u,
    );
    lines.length = 0;
    expect(await packagesBuild(argv)).toBe(0);
    expect(lines).toEqual(['[1/1] greeter: unchanged, skipped']);
    expect(await packagesBuild([...argv, 'greeter', '--force'])).toBe(0);
    expect(lines.at(-1)).toContain('built in');
  });

  it('ends with 1 and the whole story when a package breaks the contract', async () => {
    const shop = await makeWorkshop();
    const lines = listen();
    await writeTree(shop.sources, under('bad', programPackage(printer('Loading…'))));

    expect(await packagesBuild(['--sources', shop.sources, '--output', shop.output])).toBe(1);
    expect(lines.at(-1)).toContain('it begins "Loading…"');
    expect(await readdir(shop.output)).toEqual([]);
  });

  it('ends with 2 for an option that it does not know', async () => {
    const lines = listen();

    expect(await packagesBuild(['--froce'])).toBe(2);
    expect(lines.join('\n')).toContain('--froce');
  });
});
