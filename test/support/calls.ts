import type { AuditRecord } from '../../src/broker/audit.ts';
import { createBroker, type Broker, type BrokerParts } from '../../src/broker/broker.ts';
import type { InvocationRequest } from '../../src/broker/invocation.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { createMemoryArtifacts } from '../../src/state/memory/artifacts.ts';
import { createMemoryIdempotency } from '../../src/state/memory/idempotency.ts';
import { createMemoryRateLimiter } from '../../src/state/memory/rate-limiter.ts';
import { createMemoryRuns } from '../../src/state/memory/runs.ts';

const now = (): number => performance.now();

/** A broker over this catalog, with the audit lines it wrote. */
export function makeBroker(
  catalog: Catalog,
  parts: Partial<BrokerParts> = {},
): { broker: Broker; audited: AuditRecord[] } {
  const audited: AuditRecord[] = [];
  const broker = createBroker({
    catalog,
    artifacts: createMemoryArtifacts({ maxBytes: 1_000_000 }),
    audit: (record) => void audited.push(record),
    log: () => {},
    laneLimits: { maxRunning: 4, maxWaiting: 4 },
    inlineBytes: 100,
    artifactTtlMs: 60_000,
    idempotencyTtlMs: 60_000,
    budgets: createMemoryRuns({ maxRuns: 1_000, maxRunsPerOwner: 1_000, leaseMs: 5_000, now }),
    idempotency: createMemoryIdempotency({ maxBytes: 1_000_000, maxRunning: 1_000, now }),
    rateLimiter: createMemoryRateLimiter(),
    ...parts,
  });
  return { broker, audited };
}

export function makeRequest(catalog: Catalog, request: Partial<InvocationRequest> = {}): InvocationRequest {
  return {
    requestId: 'req-1',
    caller: { name: 'tester', roles: ['runner'] },
    grant: { approved: new Set(catalog.known.filter((tool) => tool.approved).map((tool) => tool.entry.ref)) },
    ref: 'echo',
    arguments: { text: 'hi' },
    client: { left: false, onLeave: () => {} },
    negotiate: () => 'inline',
    ...request,
  };
}
