import { describe, expect, it } from 'vitest';

import { embeddedStoreBytes } from '../../src/compose/embedded-store-bytes.ts';

const GIB = 2 ** 30;

describe('the room of the embedded artifact store', () => {
  const rows = [
    { is: 'what the policy says, where memory is plenty', policy: GIB, memory: [0, 16 * GIB], bytes: GIB },
    { is: 'a quarter of what a container may use', policy: GIB, memory: [2 * GIB, 16 * GIB], bytes: GIB / 2 },
    {
      is: 'a quarter of a machine without containers',
      policy: GIB,
      memory: [2 ** 64, 2 * GIB],
      bytes: GIB / 2,
    },
    { is: 'less, where the policy wants less', policy: 1_000, memory: [GIB, GIB], bytes: 1_000 },
  ];

  it.each(rows)('is $is', ({ policy, memory: [constrained = 0, total = 0], bytes }) => {
    expect(embeddedStoreBytes(policy, { constrained, total })).toBe(bytes);
  });
});
