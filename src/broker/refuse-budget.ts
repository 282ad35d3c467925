import { BrokerError } from '../core/broker-error.ts';
import type { Run } from '../core/run.ts';
import { describeRefusal } from './quota.ts';
import type { BudgetRefusal } from './run-store.ts';

const RETRY_CONCURRENT_SECONDS = 1;

/** QUOTA_EXCEEDED that says which budget, or RATE_LIMITED where only too many calls run at once. */
export function refuseBudget(refusal: BudgetRefusal, run: Run): BrokerError {
  if (refusal.budget === 'concurrent_calls') {
    const message = `This run already has ${refusal.used} calls at once; its limit is ${refusal.limit}.`;
    return new BrokerError('RATE_LIMITED', message, { retryAfter: RETRY_CONCURRENT_SECONDS });
  }
  return new BrokerError('QUOTA_EXCEEDED', describeRefusal(refusal, run), {
    details: [{ path: `/limits/${refusal.budget}`, message: `limit ${refusal.limit}, used ${refusal.used}` }],
  });
}

export function runIsOver(): BrokerError {
  return new BrokerError('UNAUTHENTICATED', 'The run of this token is over, or the token is unknown.');
}
