import { createBroker, type Broker } from '../broker/broker.ts';
import type { RunCeilings } from '../broker/run-request.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { PolicyLimits } from '../catalog/policy.ts';
import type { Log } from './create-log.ts';
import type { Stores } from './create-stores.ts';

const IDEMPOTENCY_TTL_MS = 24 * 3_600_000;

/** The broker with the limits of the policy. */
export function createPolicyBroker({
  limits,
  catalog,
  stores,
  log: { logger },
}: {
  limits: PolicyLimits;
  catalog: Catalog;
  stores: Stores;
  log: Log;
}): Broker {
  return createBroker({
    catalog,
    artifacts: stores.artifacts,
    budgets: stores.runs,
    idempotency: stores.idempotency,
    rateLimiter: stores.rateLimiter,
    audit: (record) => logger.info(record, 'call'),
    log: (message, fields) => logger.info(fields ?? {}, message),
    laneLimits: { maxRunning: limits.maxConcurrentCalls, maxWaiting: limits.maxQueuedCalls },
    inlineBytes: limits.inlineArtifactBytes,
    artifactTtlMs: limits.artifactTtlMs,
    idempotencyTtlMs: IDEMPOTENCY_TTL_MS,
  });
}

export function runCeilings(limits: PolicyLimits): RunCeilings {
  return {
    ttlMs: limits.runTtlMs,
    limits: {
      calls: limits.runCalls,
      resultBytes: limits.runResultBytes,
      artifactBytes: limits.runArtifactBytes,
      runTimeMs: limits.runTimeMs,
      concurrentCalls: limits.runConcurrentCalls,
    },
  };
}
