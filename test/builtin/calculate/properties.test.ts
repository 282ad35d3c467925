import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { startCalculator } from './start-calculator.ts';

const { call, close, outputOf } = startCalculator();
afterAll(close);

describe('any text', () => {
  const parts = fc.constantFrom(
    ...'0 1 2.5 1e3 .5 pi e ft cm kg degC % of + - * / ^ ! ( ) , in to sqrt( max( log( round( sin( < == x foo 5%'.split(
      ' ',
    ),
    ' ',
    '°',
    '1,000',
    '\n',
  );
  const written = fc.array(parts, { minLength: 1, maxLength: 25 }).map((words) => words.join(''));

  it('is answered, or refused with INVALID_INPUT', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(written, fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' })),
        async (expression) => {
          const result = await call({ expression });
          const isFit =
            result.status === 'failed'
              ? result.code === 'INVALID_INPUT' && result.message.length > 10
              : typeof result.output['result'] === 'string' && result.output['result'] !== '';
          expect(isFit).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('of sums and products of whole numbers agrees with bigint arithmetic', async () => {
    const whole = fc.bigInt({ min: 0n, max: 10n ** 9n });
    await fc.assert(
      fc.asyncProperty(whole, whole, whole, async (a, b, c) => {
        expect(await outputOf(`${a} * ${b} + ${c}`)).toMatchObject({ result: String(a * b + c) });
      }),
    );
  });
});
