import type { Catalog } from '../catalog/catalog.ts';
import type { ExecuteContext, Lane } from '../core/tool.ts';
import type { ArtifactStore } from './artifact-store.ts';
import type { AuditSink } from './audit.ts';
import type { OpenCalls } from './call-signal.ts';
import type { IdempotencyStore } from './idempotency-store.ts';
import type { LaneGate } from './lane-gate.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { RunBudgets } from './run-store.ts';

export type Lanes = Readonly<Record<Lane, LaneGate>>;

/** What a call needs from the rest of the house. */
export interface CallParts {
  readonly catalog: Catalog;
  readonly artifacts: ArtifactStore;
  readonly budgets: RunBudgets;
  readonly idempotency: IdempotencyStore;
  readonly rateLimiter: RateLimiter;
  readonly audit: AuditSink;
  readonly log: ExecuteContext['log'];
  /** Larger files are linked, not inlined. */
  readonly inlineBytes: number;
  /** How long a file is kept, where no run says otherwise. */
  readonly artifactTtlMs: number;
  /** How long an answer is kept under its idempotency key, where no run says otherwise. */
  readonly idempotencyTtlMs: number;
}

/** How the service stands while a call goes on. */
export interface ServiceState {
  readonly lanes: Lanes;
  readonly open: OpenCalls;
  readonly draining: boolean;
}
