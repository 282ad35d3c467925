import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import type { RateDecision, RateLimit, RateLimiter } from '../../broker/rate-limiter.ts';

/** Fixed windows in this process. There are as many limiters as different limits stand in the policy. */
export function createMemoryRateLimiter(): RateLimiter {
  const limiters = new Map<string, RateLimiterMemory>();
  return {
    take: async (caller, limit) => {
      const key = `${limit.requests}/${limit.windowSeconds}`;
      const limiter = limiters.get(key) ?? createLimiter(limit);
      limiters.set(key, limiter);
      try {
        return decide(await limiter.consume(caller), limit, true);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return decide(refused, limit, false);
        throw refused;
      }
    },
  };
}

function createLimiter({ requests, windowSeconds }: RateLimit): RateLimiterMemory {
  return new RateLimiterMemory({ points: requests, duration: windowSeconds });
}

/** Never longer than a window, whatever the system's clock has done since it began. */
function decide(state: RateLimiterRes, { windowSeconds }: RateLimit, allowed: boolean): RateDecision {
  return {
    allowed,
    remaining: Math.max(0, state.remainingPoints),
    resetSeconds: Math.min(windowSeconds, Math.max(1, Math.ceil(state.msBeforeNext / 1_000))),
  };
}
