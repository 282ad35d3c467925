import { BrokerError } from '../../core/broker-error.ts';
import type { Run } from '../../core/run.ts';
import type { RunStore } from '../../broker/run-store.ts';
import { createRunLedger, type RunLedger } from './run-ledger.ts';
import type { RunBudgets } from '../../broker/run-store.ts';

export interface MemoryRunLimits {
  /** Runs at once, of all owners. */
  readonly maxRuns: number;
  /** Runs at once of one owner. */
  readonly maxRunsPerOwner: number;
  /** A call's lease that is not renewed for so long lapses. */
  readonly leaseMs: number;
  /** Monotonic milliseconds: a jump of the system's clock ends no run early or late. */
  readonly now: () => number;
}

interface Held {
  readonly run: Run;
  /** On the clock of `now`. */
  readonly endsAtMs: number;
  readonly ledger: RunLedger;
}

const RETRY_AFTER_SECONDS = 30;

/** Runs and their budgets in this process; gone when it ends. */
export function createMemoryRuns(limits: MemoryRunLimits): RunStore & RunBudgets {
  const runs = new Map<string, Held>();
  const live = (id: string): Held | undefined => {
    const held = runs.get(id);
    if (held === undefined || held.endsAtMs > limits.now()) return held;
    runs.delete(id);
    return undefined;
  };

  return {
    start: async (run, ttlMs) => {
      const owned = countLive(runs, live, run.owner);
      if (runs.size >= limits.maxRuns || owned >= limits.maxRunsPerOwner) throw noRoom(runs.size);
      const now = Date.now();
      const started: Run = Object.freeze({
        ...run,
        startedAt: new Date(now),
        expiresAt: new Date(now + ttlMs),
      });
      const ledger = createRunLedger(run.limits, limits);
      runs.set(run.id, { run: started, endsAtMs: limits.now() + ttlMs, ledger });
      return started;
    },
    find: async (id) => live(id)?.run,
    end: async (id) => live(id) !== undefined && runs.delete(id),
    reserve: async (id, call) => live(id)?.ledger.reserve(call) ?? { ok: false, budget: 'run_over' },
    renew: async (id, leaseId) => live(id)?.ledger.renew(leaseId) ?? false,
    settle: async (id, leaseId, spent) =>
      live(id)?.ledger.settle(leaseId, spent) ?? { ok: false, budget: 'run_over' },
    usage: async (id) => live(id)?.ledger.usage(),
  };
}

/** Also lets go of what has expired, so that the map never holds more than the live ones for long. */
function countLive(
  runs: ReadonlyMap<string, Held>,
  live: (id: string) => Held | undefined,
  owner: string,
): number {
  return [...runs.keys()].filter((id) => live(id)?.run.owner === owner).length;
}

function noRoom(count: number): BrokerError {
  return new BrokerError('OVERLOADED', `Too many runs are open (${count} in all).`, {
    retryAfter: RETRY_AFTER_SECONDS,
    resolution: 'End runs that are done with DELETE /v1/runs/{id}, or wait until some expire.',
  });
}
