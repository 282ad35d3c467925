import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseStateUrl } from '../../src/config/state-url.ts';
import { checkConfig, readConfig } from '../../src/config.ts';

const directory = mkdtempSync(join(tmpdir(), 'config-'));
const none = { dotEnvPath: join(directory, 'none') };

describe('STATE_URL and STATE_URL_FILE', () => {
  it.each([
    ['redis://valkey', { host: 'valkey', port: 6379, tls: false, database: 0 }],
    ['redis://127.0.0.1:7000/', { host: '127.0.0.1', port: 7000, tls: false, database: 0 }],
    ['redis://my_valkey:1/15', { host: 'my_valkey', port: 1, tls: false, database: 15 }],
    ['redis://[::1]:7000/3', { host: '::1', port: 7000, tls: false, database: 3 }],
    ['redis://:s%2Fe%40c@h', { host: 'h', port: 6379, tls: false, database: 0, password: 's/e@c' }],
    [
      'rediss://ann:pw@state.example.org:6380',
      {
        host: 'state.example.org',
        port: 6380,
        tls: true,
        database: 0,
        username: 'ann',
        password: 'pw',
      },
    ],
  ])('reads %s', (url, expected) => {
    expect(readConfig({ STATE_URL: url }, none).state).toStrictEqual(expected);
  });

  it.each([
    '',
    'valkey:6379',
    'http://valkey:6379',
    'redis:valkey',
    'redis://',
    'redis:///0',
    'redis://valkey:0',
    'redis://valkey:65536',
    'redis://valkey/db',
    'redis://valkey/-1',
    'redis://valkey/0/1',
    'redis://valkey?db=1',
    'redis://valkey#1',
    'redis://:%zz@valkey',
    'redis://:top/secret@valkey',
    'redis://:top?secret@valkey',
    'redis://:top#secret@valkey',
    'redis://:top secret@valkey',
    ' redis://valkey',
  ])('refuses %j and shows its length alone', (url) => {
    const { faults, config } = checkConfig({ STATE_URL: url }, none);
    expect(faults).toHaveLength(1);
    expect(faults[0]?.source).toBe('STATE_URL');
    expect(faults[0]?.message).toContain(`What was received (${url.length} characters) is not an address`);
    expect(JSON.stringify(faults)).not.toMatch(/secret|valkey:0/u);
    expect(config).not.toHaveProperty('state');
  });

  it('reads the address from a file and leaves out the line break at its end', () => {
    const path = join(directory, 'state-url');
    writeFileSync(path, 'redis://:pw@valkey\n');
    expect(readConfig({ STATE_URL_FILE: path }, none).state).toMatchObject({
      host: 'valkey',
      password: 'pw',
    });
  });

  it('refuses both at once, and a file that is not there without showing what was given as its path', () => {
    const path = join(directory, 'other');
    writeFileSync(path, 'redis://valkey');
    const both = checkConfig({ STATE_URL: 'redis://valkey', STATE_URL_FILE: path }, none).faults;
    expect(both.map(({ source, remedy }) => [source, remedy])).toEqual([
      ['STATE_URL_FILE', 'Keep one of the two.'],
    ]);
    const [fault] = checkConfig({ STATE_URL_FILE: 'redis://:secret@valkey' }, none).faults;
    expect(fault?.message).toContain('ENOENT; its path has 22 characters');
    expect(JSON.stringify(fault)).not.toContain('secret');
  });

  it('warns of a name that is a slip of STATE_URL', () => {
    expect(readConfig({ STATEURL: 'redis://valkey' }, none).warnings).toHaveLength(1);
  });

  it('gives back any password that was percent-encoded, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (password) => {
        const url = `redis://:${encodeURIComponent(password)}@valkey:6379/0`;
        expect(parseStateUrl(url)?.password).toBe(password);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void parseStateUrl(`redis://${text}`)));
  });
});
