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

idempotencyStoreContract('memory', async (limits) => {
  const { now, pass } = makeClock();
  const store = createMemoryIdempotency({ ...limits, now });
  return { store, other: store, pass, close: async () => {} };
});

rateLimiterContract('memory', async () => {
  const limiter = createMemoryRateLimiter();
  return { limiter, other: limiter, close: async () => {} };
});
