import { expect, it } from 'vitest';

import { createMemoryIdempotency } from '../../../src/state/memory/idempotency.ts';
import { createMemoryRateLimiter } from '../../../src/state/memory/rate-limiter.ts';
import { createMemoryRuns } from '../../../src/state/memory/runs.ts';
import { idempotencyStoreContract } from '../../contracts/idempotency-store.ts';
import { rateLimiterContract } from '../../contracts/rate-limiter.ts';
import { runStoreContract } from '../../contracts/run-store.ts';

/** A clock that the test moves; the system's clock plays no part in it. */
function makeClock(): { now: () => number; pass: (ms: number) => Promise<void> } {
  let time = 5_000;
  return {
    now: () => time,
    pass: async (ms) => {
      time += ms;
    },
  };
}

runStoreContract('memory', async (limits) => {
  const { now, pass } = makeClock();
  const runs = createMemoryRuns({ ...limits, now });
  return { runs, other: runs, pass, close: async () => {} };
});

idempotencyStoreContract('memory', async () => {
  const { now, pass } = makeClock();
  const store = createMemoryIdempotency({ maxBytes: 1_000_000, maxRunning: 1_000, now });
  return { store, other: store, pass, close: async () => {} };
});

rateLimiterContract('memory', async () => {
  const limiter = createMemoryRateLimiter();
  return { limiter, other: limiter, close: async () => {} };
});

it('lets the oldest answer go when room is needed', async () => {
  const { now } = makeClock();
  const store = createMemoryIdempotency({ maxBytes: 5_000, maxRunning: 10, now });
  const keyed = (key: string): Parameters<typeof store.begin>[0] => ({
    scope: 's',
    key,
    fingerprint: 'f',
    leaseMs: 1_000,
    ttlMs: 60_000,
    mayRepeat: false,
  });
  for (const key of ['a', 'b', 'c']) {
    const begun = await store.begin(keyed(key));
    if (begun.state === 'new') await store.finish(keyed(key), begun.lease, { text: 'x'.repeat(1_500) });
  }
  expect((await store.begin(keyed('c'))).state).toBe('done');
  expect((await store.begin(keyed('a'))).state).toBe('new');
});
