import type { QuotaView } from '../core/quota-view.ts';
import type { Run, RunUsage } from '../core/run.ts';
import type { RateDecision, RateLimit } from './rate-limiter.ts';
import type { BudgetRefusal } from './run-store.ts';
import { runTimeLeftMs } from './run-time-left.ts';

export function viewRun(run: Run, usage: RunUsage): QuotaView {
  return {
    name: 'calls',
    limit: run.limits.calls,
    remaining: Math.max(0, run.limits.calls - usage.calls),
    resetSeconds: Math.ceil(runTimeLeftMs(run) / 1_000),
    windowSeconds: Math.round((run.expiresAt.getTime() - run.startedAt.getTime()) / 1_000),
  };
}

export function viewRate(limit: RateLimit, decision: RateDecision): QuotaView {
  const { remaining, resetSeconds } = decision;
  return { name: 'rate', limit: limit.requests, remaining, resetSeconds, windowSeconds: limit.windowSeconds };
}

/** What a refusal says: which budget, its limit, what is used, when it resets. */
export function describeRefusal(refusal: BudgetRefusal, run: Run): string {
  const { budget, limit, used } = refusal;
  const state = used >= limit ? 'is used up' : 'has too little left';
  return (
    `The run's budget ${budget} ${state}: limit ${limit}, used ${used}. ` +
    `It does not reset; the run ends at ${run.expiresAt.toISOString()}.`
  );
}
