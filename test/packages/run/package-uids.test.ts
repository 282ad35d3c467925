import { expect, it } from 'vitest';

import { createUidPool } from '../../../src/packages/run/package-uids.ts';

it('gives two services user ids that neither shares, and a closed one lets go of its own', async () => {
  const first = await createUidPool(() => 0);
  const second = await createUidPool(() => 0);
  const [one = 0, two = 0] = [first.take(), second.take()];
  expect(Math.abs(one - two)).toBeGreaterThanOrEqual(250);
  first.close();
  const third = await createUidPool(() => 0);
  expect(third.take()).toBe(one);
  for (const pool of [second, third]) pool.close();
});

it('gives each user id once until it is given back, and then no more', async () => {
  const pool = await createUidPool();
  const taken = Array.from({ length: 250 }, () => pool.take());
  expect(new Set(taken).size).toBe(250);
  expect(pool.take()).toBeUndefined();
  pool.giveBack(taken[0] ?? 0);
  expect(pool.take()).toBe(taken[0]);
  pool.close();
});
