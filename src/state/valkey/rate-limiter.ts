import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

import type { RateDecision, RateLimit, RateLimiter } from '../../broker/rate-limiter.ts';
import type { Link } from './link.ts';

/** Fixed windows by the server's clock, the same for every broker on this store. */
export function createValkeyRateLimiter(link: Link): RateLimiter {
  const limiters = new Map<string, RateLimiterRedis>();
  const limiterFor = (limit: RateLimit): RateLimiterRedis => {
    const name = `${limit.requests}/${limit.windowSeconds}`;
    const limiter = limiters.get(name) ?? createLimiter(link, limit, name);
    limiters.set(name, limiter);
    return limiter;
  };
  return {
    take: async (caller, limit) => link.ask(async () => consume(limiterFor(limit), caller)),
  };
}

function createLimiter({ client }: Link, limit: RateLimit, name: string): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: client,
    keyPrefix: `tb:rate:${name}`,
    points: limit.requests,
    duration: limit.windowSeconds,
  });
}

/** The library rejects with a result where the rate is used up, and with an error where the store failed. */
async function consume(limiter: RateLimiterRedis, caller: string): Promise<RateDecision> {
  try {
    return decide(await limiter.consume(caller), true);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return decide(refused, false);
    throw refused;
  }
}

function decide(state: RateLimiterRes, allowed: boolean): RateDecision {
  return {
    allowed,
    remaining: Math.max(0, state.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)),
  };
}
