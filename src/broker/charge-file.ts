import { randomUUID } from 'node:crypto';

import type { Run } from '../core/run.ts';
import { refuseBudget, runIsOver } from './refuse-budget.ts';
import type { RunBudgets } from './run-store.ts';

/**
 * Counts a file that comes in from a run against its artifact bytes, as one that a call of it makes: whoever holds the
 * token could otherwise fill the store. Throws QUOTA_EXCEEDED, and UNAUTHENTICATED where the run is over.
 */
export async function chargeFile(budgets: RunBudgets, run: Run, sizeBytes: number): Promise<void> {
  const spent = { runTimeMs: 0, resultBytes: 0, artifactBytes: sizeBytes };
  const settled = await budgets.settle(run.id, `upload-${randomUUID()}`, spent);
  if (settled.ok) return;
  throw settled.budget === 'run_over' ? runIsOver() : refuseBudget(settled, run);
}
