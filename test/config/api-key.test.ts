import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkConfig, readConfig } from '../../src/config.ts';

const KEY = 'k'.repeat(16) + '-0123456789abcdef';
const directory = mkdtempSync(join(tmpdir(), 'config-'));
const none = { dotEnvPath: join(directory, 'none') };

function writeFile(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function faultsOf(environment: Record<string, string | undefined>) {
  return checkConfig(environment, none).faults;
}

describe('API_KEY and API_KEY_FILE', () => {
  it('accepts a key of 32 characters and refuses one of 31, showing only the length', () => {
    expect(faultsOf({ API_KEY: 'x'.repeat(32) })).toStrictEqual([]);
    const [fault] = faultsOf({ API_KEY: 'x'.repeat(31) });
    expect(fault?.message).toContain('31 characters');
    expect(JSON.stringify(fault)).not.toContain('xxx');
  });

  it.each([
    ['a control character', `${KEY}\u0007`],
    ['a line break inside', `${KEY}\n${KEY}`],
    ['a space', `${KEY} ${KEY}`],
    ['a character beyond ASCII', `${KEY}é`],
    ['nothing', ''],
  ])('refuses a key with %s without showing it', (_, key) => {
    for (const environment of [{ API_KEY: key }, { API_KEY_FILE: writeFile('bad-key', key) }]) {
      const faults = faultsOf(environment);
      expect(faults.map(({ source }) => source)).toStrictEqual(Object.keys(environment));
      expect(JSON.stringify(faults)).not.toContain('kkkk');
    }
  });

  it('reads the key from a file and leaves out the line break at its end', () => {
    for (const end of ['', '\n', '\r\n', '\n\n']) {
      const config = readConfig({ API_KEY_FILE: writeFile('key', KEY + end) }, none);
      expect(config.apiKeySha256).toBe(createHash('sha256').update(KEY).digest('hex'));
    }
  });

  it('keeps no key in the config', () => {
    expect(JSON.stringify(readConfig({ API_KEY: KEY }, none))).not.toContain(KEY);
  });

  it('refuses both at once', () => {
    const faults = faultsOf({ API_KEY: KEY, API_KEY_FILE: writeFile('key', KEY) });
    expect(faults).toHaveLength(1);
    expect(faults[0]?.remedy).toBe('Keep one of the two.');
  });

  it('does not show what stands in API_KEY_FILE, which may be the key itself', () => {
    const faults = faultsOf({ API_KEY_FILE: KEY });
    expect(faults[0]?.message).toContain('ENOENT; its path has 33 characters');
    expect(JSON.stringify(faults)).not.toContain(KEY);
    expect(faultsOf({ API_KEY_FILE: directory })[0]?.message).toContain('EISDIR');
  });
});
