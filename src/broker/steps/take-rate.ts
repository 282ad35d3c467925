import { BrokerError } from '../../core/broker-error.ts';
import type { Call } from '../call.ts';
import { viewRate } from '../quota.ts';
import type { RateLimiter } from '../rate-limiter.ts';

/** Step 4, first part: the caller's rate. A run counts towards its owner's. Throws RATE_LIMITED. */
export async function takeRate(call: Call, limiter: RateLimiter): Promise<void> {
  const { name, rateLimit } = call.request.caller;
  if (rateLimit === undefined) return;
  const decision = await limiter.take(name, rateLimit);
  call.quotas.push(viewRate(rateLimit, decision));
  if (decision.allowed) return;
  const { requests, windowSeconds } = rateLimit;
  throw new BrokerError(
    'RATE_LIMITED',
    `At most ${requests} calls in ${windowSeconds} s are taken from ${name}; this one came too soon.`,
    { retryAfter: decision.resetSeconds },
  );
}
