import type { ArtifactStore } from '../broker/artifact-store.ts';
import type { IdempotencyStore } from '../broker/idempotency-store.ts';
import type { RateLimiter } from '../broker/rate-limiter.ts';
import type { RunBudgets, RunStore } from '../broker/run-store.ts';
import type { PolicyLimits } from '../catalog/policy.ts';
import type { ServerAddress } from '../core/server-address.ts';
import { createMemoryArtifacts } from '../state/memory/artifacts.ts';
import { createMemoryIdempotency } from '../state/memory/idempotency.ts';
import { createMemoryRateLimiter } from '../state/memory/rate-limiter.ts';
import { createMemoryRuns } from '../state/memory/runs.ts';
import { createValkeyArtifacts } from '../state/valkey/artifacts.ts';
import { createValkeyIdempotency } from '../state/valkey/idempotency.ts';
import { openValkey, type Valkey } from '../state/valkey/open-valkey.ts';
import { createValkeyRateLimiter } from '../state/valkey/rate-limiter.ts';
import { createValkeyRuns } from '../state/valkey/runs.ts';
import type { Log } from './create-log.ts';
import { embeddedStoreBytes } from './embedded-store-bytes.ts';

export interface Stores {
  readonly artifacts: ArtifactStore;
  readonly runs: RunStore & RunBudgets;
  readonly idempotency: IdempotencyStore;
  readonly rateLimiter: RateLimiter;
}

export interface OpenStores extends Stores, Pick<Valkey, 'opened' | 'works' | 'close'> {}

/** A lease outlasts a few missed renewals, which come each second. */
const LEASE_MS = 5_000;

const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024;
const MAX_KEYED_CALLS = 10_000;

/** State in the server at `state`, shared with every broker that names it too; without one, in this process. */
export function openStores(limits: PolicyLimits, state: ServerAddress | undefined, log: Log): OpenStores {
  if (state !== undefined) return shareStores(limits, openValkey(state, log.logger));
  return embedStores(limits);
}

function shareStores(limits: PolicyLimits, valkey: Valkey): OpenStores {
  const { counters, files, opened, works, close } = valkey;
  const { maxRuns, maxRunsPerCaller: maxRunsPerOwner } = limits;
  return {
    artifacts: createValkeyArtifacts(files, { maxBytes: limits.artifactStoreBytes }),
    runs: createValkeyRuns(counters, { maxRuns, maxRunsPerOwner, leaseMs: LEASE_MS }),
    idempotency: createValkeyIdempotency(counters, {
      maxBytes: MAX_ANSWER_BYTES,
      maxRunning: MAX_KEYED_CALLS,
    }),
    rateLimiter: createValkeyRateLimiter(counters),
    opened,
    works,
    close,
  };
}

/** The embedded state: nothing to install, gone when the process ends. */
function embedStores(limits: PolicyLimits): OpenStores {
  const now = (): number => performance.now();
  const { maxRuns, maxRunsPerCaller: maxRunsPerOwner } = limits;
  const artifacts = createMemoryArtifacts({ maxBytes: embeddedStoreBytes(limits.artifactStoreBytes) });
  return {
    artifacts,
    runs: createMemoryRuns({ maxRuns, maxRunsPerOwner, leaseMs: LEASE_MS, now }),
    idempotency: createMemoryIdempotency({ maxBytes: MAX_ANSWER_BYTES, maxRunning: MAX_KEYED_CALLS, now }),
    rateLimiter: createMemoryRateLimiter(),
    opened: async () => {},
    works: async () => true,
    close: artifacts.close,
  };
}
