import type { ArtifactStore } from '../broker/artifact-store.ts';
import type { IdempotencyStore } from '../broker/idempotency-store.ts';
import type { RateLimiter } from '../broker/rate-limiter.ts';
import type { RunBudgets, RunStore } from '../broker/run-store.ts';
import type { PolicyLimits } from '../catalog/policy.ts';
import { createMemoryArtifacts } from '../state/memory/artifacts.ts';
import { createMemoryIdempotency } from '../state/memory/idempotency.ts';
import { createMemoryRateLimiter } from '../state/memory/rate-limiter.ts';
import { createMemoryRuns } from '../state/memory/runs.ts';

export interface Stores {
  readonly artifacts: ArtifactStore;
  readonly runs: RunStore & RunBudgets;
  readonly idempotency: IdempotencyStore;
  readonly rateLimiter: RateLimiter;
}

/** A lease outlasts a few missed renewals, which come each second. */
const LEASE_MS = 5_000;

const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024;
const MAX_KEYED_CALLS = 10_000;

/** The embedded state: nothing to install, gone when the process ends. */
export function createStores(limits: PolicyLimits): Stores {
  const now = (): number => performance.now();
  const { maxRuns, maxRunsPerCaller: maxRunsPerOwner } = limits;
  return {
    artifacts: createMemoryArtifacts({ maxBytes: limits.artifactStoreBytes }),
    runs: createMemoryRuns({ maxRuns, maxRunsPerOwner, leaseMs: LEASE_MS, now }),
    idempotency: createMemoryIdempotency({ maxBytes: MAX_ANSWER_BYTES, maxRunning: MAX_KEYED_CALLS, now }),
    rateLimiter: createMemoryRateLimiter(),
  };
}
