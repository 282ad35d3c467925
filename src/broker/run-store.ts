import type { Run, RunUsage } from '../core/run.ts';

export type NewRun = Omit<Run, 'startedAt' | 'expiresAt'>;

/**
 * Runs until they end or expire, by the store's own clock. A lost store rejects with OVERLOADED.
 */
export interface RunStore {
  /** Rejects with OVERLOADED when there is room for no more runs, in all or for this owner. */
  start(run: NewRun, ttlMs: number): Promise<Run>;
  /** Undefined for unknown, ended and expired alike. */
  find(id: string): Promise<Run | undefined>;
  /** Ends it for good; false when it was over already. Its calls learn of it at their next `renew`. */
  end(id: string): Promise<boolean>;
}

/** The budgets of a run that a call can meet. */
export type BudgetName =
  | 'calls'
  | 'calls_per_tool'
  | 'result_bytes'
  | 'artifact_bytes'
  | 'run_time_ms'
  | 'concurrent_calls';

export interface BudgetRefusal {
  readonly ok: false;
  readonly budget: BudgetName;
  readonly limit: number;
  readonly used: number;
}

export type RunOver = { readonly ok: false; readonly budget: 'run_over' };

export type Reservation = { readonly ok: true; readonly usage: RunUsage } | BudgetRefusal | RunOver;

export type Settlement = Reservation;

export interface Spending {
  readonly runTimeMs: number;
  readonly resultBytes: number;
  readonly artifactBytes: number;
}

/**
 * The counters of a run. Every method is one atomic step, so that no number of calls at once, on any number of
 * brokers, goes over a budget. A call holds a lease from `reserve` to `settle` and renews it each second; a lease that is
 * not renewed lapses, and its place comes back. A lost store rejects with OVERLOADED and nothing is let through.
 */
export interface RunBudgets {
  /** Counts a call that is about to run. Counts nothing when it refuses. */
  reserve(runId: string, call: { leaseId: string; tool: string }): Promise<Reservation>;
  /** False when the run is over: the call must stop. */
  renew(runId: string, leaseId: string): Promise<boolean>;
  /**
   * Gives the place back and counts what the call spent. Time always counts; bytes only where both still fit, else
   * the answer must be withheld.
   */
  settle(runId: string, leaseId: string, spent: Spending): Promise<Settlement>;
  /** Undefined when the run is over. */
  usage(runId: string): Promise<RunUsage | undefined>;
}
