import { describe, expect, it } from 'vitest';

import { embeddedStoreBytes } from '../../src/compose/embedded-store-bytes.ts';

const GIB = 2 ** 30;

describe('the room of the embedded artifact store', () => {
  it.each([
    ['what the policy says, where memory is plenty', GIB, { constrained: 0, total: 16 * GIB }, GIB],
    ['a quarter of what a container may use', GIB, { constrained: 2 * GIB, total: 16 * GIB }, GIB / 2],
    [
      'a quarter of the machine, where no container limits it',
      GIB,
      { constrained: 2 ** 64, total: 2 * GIB },
      GIB / 2,
    ],
    ['less, where the policy wants less', 1_000, { constrained: GIB, total: GIB }, 1_000],
  ])('is %s', (_what, policy, memory, expected) => {
    expect(embeddedStoreBytes(policy, memory)).toBe(expected);
  });
});
