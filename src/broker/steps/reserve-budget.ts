import type { Run } from '../../core/run.ts';
import type { ToolResult } from '../../core/tool.ts';
import type { ReadyCall } from '../call.ts';
import { describeRefusal, viewRun } from '../quota.ts';
import { refuseBudget, runIsOver } from '../refuse-budget.ts';
import type { BudgetRefusal, RunBudgets, Spending } from '../run-store.ts';

export interface BudgetHold {
  /** False when the run is over. */
  readonly renew: () => Promise<boolean>;
  /** Counts what was spent. Undefined when it fits, else the failure that stands in for the result. Once only. */
  readonly settle: (spent: Spending) => Promise<ToolResult | undefined>;
}

/**
 * Step 4, last part: counts the call against its run. What is refused here has cost nothing.
 * Throws QUOTA_EXCEEDED, RATE_LIMITED where only too many calls run at once, UNAUTHENTICATED where the run is over.
 */
export async function reserveBudget(call: ReadyCall, run: Run, budgets: RunBudgets): Promise<BudgetHold> {
  const leaseId = call.invocationId;
  const reserved = await budgets.reserve(run.id, { leaseId, tool: call.entry.spec.name });
  if (!reserved.ok) throw reserved.budget === 'run_over' ? runIsOver() : refuseBudget(reserved, run);
  call.quotas.push(viewRun(run, reserved.usage));
  let settled = false;
  return {
    renew: async () => budgets.renew(run.id, leaseId),
    settle: async (spent) => {
      if (settled) return undefined;
      settled = true;
      const settlement = await budgets.settle(run.id, leaseId, spent);
      if (settlement.ok) return undefined;
      return settlement.budget === 'run_over' ? endedWithRun() : withhold(settlement, run);
    },
  };
}

/** A result that comes after its run has ended is not handed on: everything of the run has been let go. */
export function endedWithRun(): ToolResult & { readonly status: 'failed' } {
  return {
    status: 'failed',
    code: 'TIMEOUT',
    message: 'The run is over and the tool was stopped.',
    resolution: 'Start another run.',
    retryable: false,
  };
}

function withhold(refusal: BudgetRefusal, run: Run): ToolResult {
  return {
    status: 'failed',
    code: 'RESULT_TOO_LARGE',
    message: `The result is withheld. ${describeRefusal(refusal, run)}`,
  };
}
