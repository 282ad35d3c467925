import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RateLimiter } from '../../src/broker/rate-limiter.ts';

export interface LimiterUnderTest {
  readonly limiter: RateLimiter;
  readonly other: RateLimiter;
  readonly close: () => Promise<void>;
}

/** What every rate limiter keeps to. */
export function rateLimiterContract(name: string, make: () => Promise<LimiterUnderTest>): void {
  describe(`a rate limiter: ${name}`, () => {
    let made: LimiterUnderTest;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(async () => made.close());

    it('lets exactly so many through in a window, whatever is asked at once', async () => {
      const limit = { requests: 10, windowSeconds: 60 };
      const caller = `ann-${process.pid}`;
      const doors = [made.limiter, made.other];
      const answers = await Promise.all(
        Array.from({ length: 25 }, async (_unused, index) => doors[index % 2]!.take(caller, limit)),
      );
      expect(answers.filter((answer) => answer.allowed)).toHaveLength(10);
      const refused = answers.find((answer) => !answer.allowed);
      expect(refused?.remaining).toBe(0);
      expect(refused?.resetSeconds).toBeGreaterThanOrEqual(1);
      expect(refused?.resetSeconds).toBeLessThanOrEqual(60);
    });

    it('counts each caller for itself', async () => {
      const limit = { requests: 1, windowSeconds: 60 };
      expect((await made.limiter.take(`bob-${process.pid}`, limit)).allowed).toBe(true);
      expect((await made.limiter.take(`bob-${process.pid}`, limit)).allowed).toBe(false);
      expect((await made.limiter.take(`cid-${process.pid}`, limit)).allowed).toBe(true);
    });

    it('starts again with the next window', async () => {
      const limit = { requests: 1, windowSeconds: 1 };
      const caller = `dot-${process.pid}`;
      await made.limiter.take(caller, limit);
      expect((await made.limiter.take(caller, limit)).allowed).toBe(false);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      expect((await made.limiter.take(caller, limit)).allowed).toBe(true);
    });
  });
}
