import type { RunBudgets, RunStore } from '../../broker/run-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { Run } from '../../core/run.ts';
import { steadyNow } from '../../core/steady-clock.ts';
import { createRunLedger, type RunLedger } from './run-ledger.ts';

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
  const held = createHeldRuns(limits.now);
  const live = (id: string): Held | undefined => held.live(id);

  return {
    start: async (run, ttlMs) => {
      makeRoom(held, run.owner, limits);
      const now = steadyNow();
      const started: Run = Object.freeze({
        ...run,
        startedAt: new Date(now),
        expiresAt: new Date(now + ttlMs),
      });
      const ledger = createRunLedger(run.limits, limits);
      held.add({ run: started, endsAtMs: limits.now() + ttlMs, ledger });
      return started;
    },
    find: async (id) => live(id)?.run,
    end: async (id) => live(id) !== undefined && held.remove(id),
    reserve: async (id, call) => live(id)?.ledger.reserve(call) ?? { ok: false, budget: 'run_over' },
    renew: async (id, leaseId) => live(id)?.ledger.renew(leaseId) ?? false,
    settle: async (id, leaseId, spent) =>
      live(id)?.ledger.settle(leaseId, spent) ?? { ok: false, budget: 'run_over' },
    usage: async (id) => live(id)?.ledger.usage(),
  };
}

interface HeldRuns {
  /** Lets go of the run when its time is over. */
  live(id: string): Held | undefined;
  add(held: Held): void;
  remove(id: string): boolean;
  /** How many are held, the expired ones that nobody has asked for since included. */
  count(owner?: string): number;
  dropExpired(): void;
}

function createHeldRuns(now: () => number): HeldRuns {
  const runs = new Map<string, Held>();
  const owned = new Map<string, number>();
  const remove = (id: string): boolean => {
    const owner = runs.get(id)?.run.owner;
    if (owner === undefined) return false;
    const left = (owned.get(owner) ?? 1) - 1;
    if (left === 0) owned.delete(owner);
    else owned.set(owner, left);
    return runs.delete(id);
  };
  const live = (id: string): Held | undefined => {
    const held = runs.get(id);
    if (held === undefined || held.endsAtMs > now()) return held;
    remove(id);
    return undefined;
  };
  return {
    live,
    remove,
    add: (held) => {
      runs.set(held.run.id, held);
      owned.set(held.run.owner, (owned.get(held.run.owner) ?? 0) + 1);
    },
    count: (owner) => (owner === undefined ? runs.size : (owned.get(owner) ?? 0)),
    dropExpired: () => {
      for (const id of runs.keys()) live(id);
    },
  };
}

/** All are looked through only where there is no room without that. */
function makeRoom(held: HeldRuns, owner: string, { maxRuns, maxRunsPerOwner }: MemoryRunLimits): void {
  const isFull = (): boolean => held.count() >= maxRuns || held.count(owner) >= maxRunsPerOwner;
  if (!isFull()) return;
  held.dropExpired();
  if (isFull()) throw noRoom(held.count());
}

function noRoom(count: number): BrokerError {
  return new BrokerError('OVERLOADED', `Too many runs are open (${count} in all).`, {
    retryAfter: RETRY_AFTER_SECONDS,
    resolution: 'End runs that are done with DELETE /v1/runs/{id}, or wait until some expire.',
  });
}
