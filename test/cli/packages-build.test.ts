import { readdir } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { packagesBuild } from '../../src/cli/packages-build.ts';
import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import {
  makeWorkshop,
  printer,
  programPackage,
  under,
  writeTree,
  type Workshop,
} from '../packages/build/support.ts';

/** The command over one workshop, and what it printed, line by line. */
function commandFor({ sources, output }: Workshop) {
  const lines: string[] = [];
  const build = async (names: string[] = [], more: { force?: boolean; isolated?: boolean } = {}) =>
    packagesBuild({
      names,
      force: more.force ?? false,
      sources,
      output,
      environment: process.env,
      print: (line) => lines.push(line),
      ...(more.isolated === false && { isolate: async () => detectIsolation({ strongest: 'none' }) }),
    });
  return { lines, build };
}

describe('packages build', () => {
  it('builds, shows progress, and ends with 0; the second time it starts nothing', async () => {
    const shop = await makeWorkshop();
    const { lines, build } = commandFor(shop);
    await writeTree(shop.sources, under('greeter', programPackage()));

    expect(await build()).toBe(0);
    expect(lines.join('\n')).toMatch(
      /^\[1\/1\] greeter: building[^]*isolation[^]*\[1\/1\] greeter: built in/u,
    );
    lines.length = 0;
    expect(await build()).toBe(0);
    expect(lines).toEqual(['[1/1] greeter: unchanged, skipped']);
    expect(await build(['greeter'], { force: true })).toBe(0);
    expect(lines.at(-1)).toContain('built in');
  });

  it('ends with 1 and the whole story when a package breaks the contract', async () => {
    const shop = await makeWorkshop();
    const { lines, build } = commandFor(shop);
    await writeTree(shop.sources, under('bad', programPackage(printer('Loading…'))));

    expect(await build()).toBe(1);
    expect(lines.at(-1)).toContain('it begins "Loading…"');
    expect(await readdir(shop.output)).toEqual([]);
  });

  it('leaves packages out where nothing can be isolated, and says why; one that was named ends with 1', async () => {
    const shop = await makeWorkshop();
    const { lines, build } = commandFor(shop);
    await writeTree(shop.sources, under('greeter', programPackage()));

    expect(await build([], { isolated: false })).toBe(0);
    expect(lines.join('\n')).toContain('greeter: left out, it needs isolation to be asked what it can do.');
    expect(await readdir(shop.output)).toEqual([]);
    expect(await build(['greeter'], { isolated: false })).toBe(1);
  });

  it('keeps the last good build where nothing can be isolated now', async () => {
    const shop = await makeWorkshop();
    const { build } = commandFor(shop);
    await writeTree(shop.sources, under('greeter', programPackage()));
    await build();
    await writeTree(shop.sources, { 'greeter/program': '#!/bin/sh\n' });

    expect(await build([], { isolated: false })).toBe(0);
    expect(await readdir(shop.output)).toEqual(['greeter']);
  });
});
