import { describe, expect, it } from 'vitest';

import { findAccessFaults, hasKeys } from '../../src/catalog/policy-access.ts';
import { parsePolicy } from '../../src/catalog/policy-parse.ts';

const KEYLESS = parsePolicy('approve: [local]', 'policy.yaml');
const KEYED = parsePolicy(
  `callers: [{name: a, key_sha256: ${'a1'.repeat(32)}, roles: [runner]}]`,
  'policy.yaml',
);
const LOOPBACK = { host: '127.0.0.1', hostIsLoopback: true };
const OPEN = { host: '0.0.0.0', hostIsLoopback: false };
const KEY = { apiKeySha256: 'b2'.repeat(32) };

describe('hasKeys', () => {
  it('is true with API_KEY or with callers', () => {
    expect(hasKeys(KEYLESS, {})).toBe(false);
    expect(hasKeys(KEYLESS, KEY)).toBe(true);
    expect(hasKeys(KEYED, {})).toBe(true);
  });
});

describe('findAccessFaults', () => {
  it.each([
    ['loopback without keys', KEYLESS, LOOPBACK],
    ['loopback with API_KEY', KEYLESS, { ...LOOPBACK, ...KEY }],
    ['loopback with callers', KEYED, LOOPBACK],
    ['another address with API_KEY', KEYLESS, { ...OPEN, ...KEY }],
    ['another address with callers', KEYED, OPEN],
  ])('lets %s be', (_, policy, settings) => {
    expect(findAccessFaults(policy, settings)).toStrictEqual([]);
  });

  it('refuses another address than loopback without keys, and names each way out', () => {
    const faults = findAccessFaults(KEYLESS, OPEN);
    expect(faults).toStrictEqual([
      {
        source: 'HOST',
        message: 'Without any API key only a loopback address may be used, not 0.0.0.0.',
        remedy: 'Set API_KEY or API_KEY_FILE, write `callers` into the policy, or set HOST to 127.0.0.1.',
      },
    ]);
  });

  it('refuses API_KEY together with callers', () => {
    for (const settings of [LOOPBACK, OPEN]) {
      expect(findAccessFaults(KEYED, { ...settings, ...KEY })).toMatchObject([
        { source: 'API_KEY', message: expect.stringContaining('policy.yaml has `callers` too') },
      ]);
    }
  });
});
