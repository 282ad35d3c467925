/** So many calls in so many seconds, for one caller. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
}

export interface RateDecision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until a call is taken again; at least 1. */
  readonly resetSeconds: number;
}

/** Counts calls by caller and window, atomically. A lost store rejects with OVERLOADED. */
export interface RateLimiter {
  take(caller: string, limit: RateLimit): Promise<RateDecision>;
}
