import { afterAll, describe, expect, it } from 'vitest';
import { createCalculationPool } from '../../../src/builtin/calculate/calculation-pool.ts';
import { startCalculator } from './start-calculator.ts';

const { call, close, outputOf, refusalOf, tool } = startCalculator();
afterAll(close);

describe('what it works out', () => {
  it.each([
    ['2^10', '1024'],
    ['5 ft in cm', '152.4 cm'],
    ['18% of 240', '43.2'],
    ['50 + 18% of 240', '93.2'],
    ['240 + 18%', '283.2'],
    ['(240 - 18%) + 5', '201.8'],
    ['20 degC in degF', '68 degF'],
    ['-20 degC in degF', '-4 degF'],
    ['300 K in degC', '26.85 degC'],
    ['0.1 + 0.2', '0.3'],
    ['2^64', '18446744073709551616'],
    ['1/3 + 2/3', '1'],
    ['170!', '7.257415615308e+306'],
    ['sqrt(2)^2', '2'],
    ['sin(pi)', '0'],
    ['cos(60 deg)', '0.5'],
    ['asin(0.5) rad in deg', '30 deg'],
    ['ln(e)', '1'],
    ['log(8, 2)', '3'],
    ['log10(1000)', '3'],
    ['17 % 5', '2'],
    ['mod(-7, 3)', '2'],
    ['2 × 3 ÷ 4 − 1', '0.5'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2 pi', '6.28318530717959'],
    ['5 ft + 3 in', '5.25 ft'],
    ['5 in in cm', '12.7 cm'],
    ['8 h in min', '480 min'],
    ['ft in cm', '30.48 cm'],
    ['1 acre in m^2', '4046.8564224 m^2'],
    ['60 mph in km/h', '96.56064 km/h'],
    ['60 km/h * 2 h', '120 km'],
    ['5 m / 2 m + 1', '3.5'],
    ['max(3 ft, 1 m)', '1 m'],
    ['round(5.678 cm, 1)', '5.7 cm'],
    ['round(2.5)', '3'],
    ['mean(1, 2, 6)', '3'],
    ['gcd(12, 18)', '6'],
    ['lcm(4, 6)', '12'],
    ['combinations(5, 2)', '10'],
    ['3 ft > 90 cm', 'true'],
    ['1 == 1.0000000000001', 'false'],
    ['2 + 2\n', '4'],
    ['-0', '0'],
  ])('answers %s with %s', async (expression, result) => {
    expect(await outputOf(expression)).toMatchObject({ result });
  });

  it('gives the number, its unit and whether it was rounded apart from the text', async () => {
    expect(await outputOf('5 ft in cm')).toEqual({ result: '152.4 cm', value: 152.4, unit: 'cm' });
    expect(await outputOf('1 / 3')).toEqual({ result: '0.333333333333333', value: 1 / 3, rounded: true });
    expect(await outputOf('1 / 3', 4)).toEqual({ result: '0.3333', value: 0.3333, rounded: true });
  });

  it('leaves `value` out where a JSON number cannot hold it', async () => {
    expect(await outputOf('2^53 - 1')).toEqual({ result: '9007199254740991', value: 9007199254740991 });
    expect(await outputOf('2^53')).toEqual({ result: '9007199254740992' });
    expect(await outputOf('10^400')).toEqual({ result: '1e+400' });
  });

  it('shows as many significant digits as `precision` asks for', async () => {
    expect(await outputOf('pi', 1)).toMatchObject({ result: '3' });
    expect(await outputOf('pi', 30)).toMatchObject({ result: '3.14159265358979323846264338328' });
    expect(await outputOf('123456', 2)).toMatchObject({ result: '120000' });
  });

  it('answers each of its examples', async () => {
    const answers = [];
    for (const example of tool.spec.examples ?? []) answers.push(await call(example.arguments));
    expect(answers.map((answer) => (answer.status === 'ok' ? answer.output['result'] : answer))).toEqual([
      '43.2',
      '152.4 cm',
      '0.3333',
      '68 degF',
    ]);
  });
});

describe('costly expressions', () => {
  it('works out a percentage of a percentage once, though the parser shares its nodes', async () => {
    const expression = `${'('.repeat(50)}1${'+1%)'.repeat(50)}`;
    expect(await outputOf(expression)).toMatchObject({ result: '1.64463182184388' });
  });

  it.each([
    ['sin(1e15)', '+'],
    ['sinh(1000)', '+'],
    ['1000!', '+'],
    ['acos(.99)', '+'],
    ['2 m', '*'],
    ['nthRoot(1e9999,999)', '+'],
    ['mod(1e9999,7)', '+'],
  ])('ends when 1000 characters are filled with %s', async (part, sign) => {
    const count = Math.floor(1001 / (part.length + 1));
    expect(await outputOf(Array(count).fill(part).join(sign))).toMatchObject({ result: expect.any(String) });
  });

  it('keeps calculating right after steps that were refused', async () => {
    for (const expression of ['sin(9^9^9)', 'nthRoot(-8, 2)', '2^-9^9^9', '5 m % 3', '(-8)^(1/3)']) {
      await refusalOf(expression);
    }
    expect(await outputOf('1 km/h/s')).toMatchObject({ result: '0.000277777777777778 km/s^2' });
  });
});

describe('the worker threads', () => {
  it('end at an abort, and the next call is served', async () => {
    const abort = new AbortController();
    const running = call({ expression: Array(99).fill('sin(1e15)').join('+') }, abort.signal);
    abort.abort('deadline');
    expect(await running).toMatchObject({ status: 'failed', code: 'TIMEOUT' });
    expect(await outputOf('1 + 1')).toMatchObject({ result: '2' });
  });

  it('answer a call whose signal has aborted already with TIMEOUT', async () => {
    expect(await call({ expression: '1' }, AbortSignal.abort('disconnect'))).toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('serve many callers at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => outputOf(`${n} * 2`)));
    expect(answers).toEqual(Array.from({ length: 50 }, (_, n) => ({ result: String(n * 2), value: n * 2 })));
  });

  it('are replaced when one threw, because its arithmetic may be in disorder', async () => {
    const pool = createCalculationPool(1);
    const { signal } = new AbortController();
    await expect(pool.run({ expression: 5 as unknown as string }, signal)).rejects.toThrow(TypeError);
    expect(await pool.run({ expression: '2 + 3' }, signal)).toMatchObject({ kind: 'answer' });
    await pool.close();
  });
});
