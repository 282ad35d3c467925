import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { VARIABLES } from '../../src/config/variables.ts';
import { readConfig } from '../../src/config.ts';

const directory = mkdtempSync(join(tmpdir(), 'config-'));
const none = { dotEnvPath: join(directory, 'none') };

function writeFile(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8');

  it('lists every variable with its default, and no other', () => {
    const listed = [...text.matchAll(/^#([A-Z_]+)=(.*)$/gmu)].map(([, name, value]) => [name, value]);
    const expected = Object.entries(VARIABLES).map(([name, { fallback }]) => [name, fallback]);
    expect(listed).toStrictEqual(expected);
  });

  it('has a comment above each variable and nothing that is in force', () => {
    const blocks = text.trim().split('\n\n').slice(1);
    expect(blocks).toHaveLength(Object.keys(VARIABLES).length);
    for (const block of blocks) expect(block).toMatch(/^(?:# .+\n)+#[A-Z_]+=.*$/u);
    expect(readConfig({}, { dotEnvPath: '.env.example' })).toStrictEqual(readConfig({}, none));
  });

  it('changes nothing when its defaults are written out', () => {
    const active = text.replaceAll(/^#([A-Z_]+=.+)$/gmu, '$1');
    const config = readConfig({}, { dotEnvPath: writeFile('active', active) });
    expect(config).toStrictEqual(readConfig({}, none));
  });
});
