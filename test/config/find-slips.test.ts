import { describe, expect, it } from 'vitest';

import { findSlips } from '../../src/config/find-slips.ts';

describe('a slip in a name', () => {
  it.each([
    ['APIKEY', 'API_KEY'],
    ['api_key', 'API_KEY'],
    ['API_KEYS', 'API_KEY'],
    ['API_KEYFILE', 'API_KEY_FILE'],
    ['BROKER_APROVE', 'BROKER_APPROVE'],
    ['TOOL_BROKER_API_KEY', 'API_KEY'],
    ['BROKER_POLICY_FILE', 'POLICY_FILE'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['ALLOWED_HOST', 'ALLOWED_HOSTS'],
  ])('is reported: %s', (name, meant) => {
    expect(findSlips([name])).toStrictEqual([`"${name}" is set and is not read. Did you mean ${meant}?`]);
  });

  it('is not seen in names of others', () => {
    const others = [
      'HOSTNAME',
      'PATH',
      'SHELL',
      'PORTS',
      'OPENAI_API_KEY',
      'NODE_ENV',
      'HOME',
      'TERM',
      'LOGNAME',
    ];
    expect(findSlips(others)).toStrictEqual([]);
  });
});
