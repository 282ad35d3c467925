import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createApiKey,
  createRunToken,
  hashCredential,
  looksLikeApiKey,
  runIdOf,
} from '../../src/core/api-key.ts';

describe('keys and run tokens', () => {
  it('have 256 random bits behind a prefix that says what they are', () => {
    const keys = Array.from({ length: 50 }, createApiKey);
    expect(new Set(keys).size).toBe(50);
    for (const key of keys) expect(key).toMatch(/^tb_[\w-]{43}[0-9a-f]{8}$/u);
  });

  it('can be told from any other text by a scanner', () => {
    const key = createApiKey();
    expect(looksLikeApiKey(key)).toBe(true);
    const other = key.at(10) === 'a' ? 'b' : 'a';
    expect(looksLikeApiKey(key.slice(0, 10) + other + key.slice(11))).toBe(false);
    expect(looksLikeApiKey(key.slice(0, -1))).toBe(false);
    expect(looksLikeApiKey(createRunToken().token)).toBe(false);
    fc.assert(fc.property(fc.string(), (text) => !looksLikeApiKey(text) && runIdOf(text) === undefined));
  });

  it('name their run, and a token that was cut, swapped or changed names none', () => {
    const { runId, token } = createRunToken();
    expect(runIdOf(token)).toBe(runId);
    expect(runId).toMatch(/^[\w-]{22}$/u);
    for (const wrong of [
      token.slice(0, -1),
      `${token}0`,
      token.replace('tbr_', 'tb_'),
      token.toUpperCase(),
      createApiKey(),
    ]) {
      expect(runIdOf(wrong)).toBeUndefined();
    }
  });

  it('are kept as SHA-256 only', () => {
    expect(hashCredential('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
