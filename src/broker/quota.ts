import type { QuotaView } from '../core/quota-view.ts';
import type { Run, RunUsage } from '../core/run.ts';
import type { RateDecision, RateLimit } from './rate-limiter.ts';
import type { BudgetRefusal } from './run-store.ts';

export function viewRun(run: Run, usage: RunUsage): QuotaView {
  return {
    name: 'calls',
    limit: run.limits.calls,
    remaining: Math.max(0, run.limits.calls - usage.calls),
    resetSeconds: secondsUntil(run.expiresAt),
    windowSeconds: Math.round((run.expiresAt.getTime() - run.startedAt.getTime()) / 1_000),
  };
}

export function viewRate(limit: RateLimit, decision: RateDecision): QuotaView {
  const { remaining, resetSeconds } = decision;
  return { name: 'rate', limit: limit.requests, remaining, resetSeconds, windowSeconds: limit.windowSeconds };
}

/** What a refusal says: which budget, its limit, what is used, when it resets. */
export function describeRefusal(refusal: BudgetRefusal, run: Run): string {
  return (
    `The run's budget ${refusal.budget} is used up: limit ${refusal.limit}, used ${refusal.used}. ` +
    `It does not reset; the run ends at ${run.expiresAt.toISOString()}.`
  );
}

function secondsUntil(moment: Date): number {
  return Math.max(0, Math.ceil((moment.getTime() - Date.now()) / 1_000));
}
