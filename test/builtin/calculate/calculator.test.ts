import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createCalculationPool } from '../../../src/builtin/calculate/calculation-pool.ts';
import { createCalculator } from '../../../src/builtin/calculate/calculator.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import type { ToolResult } from '../../../src/core/tool.ts';

const calculator = createCalculator();
const { tool } = calculator;
const matchesSchema = new Ajv2020().compile(tool.spec.inputSchema);
afterAll(() => calculator.close());

function contextOf(signal: AbortSignal) {
  return { signal, deadline: performance.now() + 5000, log: () => {} };
}

/** As the broker does it: check, then schema, then execute. */
async function call(args: JsonObject, signal = new AbortController().signal): Promise<ToolResult> {
  const [fault] = tool.check!(args);
  if (fault !== undefined) return { status: 'failed', code: 'INVALID_INPUT', message: fault.message };
  if (!matchesSchema(args)) return { status: 'failed', code: 'INVALID_INPUT', message: 'schema' };
  return tool.execute(args, contextOf(signal));
}

async function outputOf(expression: string, precision?: number): Promise<unknown> {
  const result = await call({ expression, ...(precision === undefined ? {} : { precision }) });
  return result.status === 'ok' ? result.output : result;
}

async function refusalOf(expression: string): Promise<string> {
  const result = await call({ expression });
  if (result.status === 'ok') return `answered ${JSON.stringify(result.output)}`;
  expect(result.code).toBe('INVALID_INPUT');
  return `${result.message} ${result.resolution ?? ''}`;
}

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

describe('what it refuses', () => {
  it.each([
    ['ones(3000,3000)', /"ones" at character 1 is no function/u],
    ['bigint(3)^bigint(10000000)', /"bigint"/u],
    ['9^9^9^9', /9 \^ 387420489 is beyond/u],
    ['factorial(1e6)', /0 to 1000/u],
    ['1001!', /0 to 1000/u],
    ['1/0', /divided by 0/u],
    ['0/0', /divided by 0/u],
    ['5 % 0', /division by 0/u],
    ['0^-1', /negative power/u],
    ['sqrt(-1)', /real/u],
    ['asin(2)', /real/u],
    ['log(0)', /above 0/u],
    ['tan(pi/2)', /cosine is 0/u],
    ['sin(9^9)*sin(1e16)', /sin takes numbers/u],
    ['5 ft in kg', /kind/u],
    ['20 degC + 5 degF', /different scales/u],
    ['2 m + 3', /kind/u],
    ['3 in cm', /3 has no unit/u],
    ['asin(0.5) in deg', /no unit.*rad in deg/u],
    ['m', /without a number/u],
    ['   ', /white space/u],
    ['1\n2', /second line begins at character 2/u],
    ['1;2', /";".*character 2/u],
    ['a=1', /single = stands at character 2/u],
    ['f(x)=x', /single =.*character 5/u],
    ['"str"', /quotation marks/u],
    ['[1,2]', /no lists/u],
    ['{a:1}', /no objects/u],
    ['cos.constructor("return process")()', /quotation|point/u],
    ['cos.constructor', /point.*character 4.*decimal point/u],
    ['x.y', /properties/u],
    ['import({})', /"\{"/u],
    ['import(1)', /"import" at character 1 is no function/u],
    ['createUnit(1)', /no function/u],
    ['evaluate(1)', /no function/u],
    ['random()', /no function/u],
    ['constructor(1)', /no function/u],
    ['__proto__', /no known/u],
    ['toString', /no known/u],
    ['5 constructor', /no known/u],
    ['1 VAR', /no known/u],
    ['1:3', /ranges/u],
    ['1 ? 2 : 3', /conditions/u],
    ['1<2<3', /chain/u],
    ['(1<2)+1', /alone/u],
    ['not 1', /operator "not"/u],
    ['true', /"true" is no number/u],
    ['null', /no number/u],
    ['Infinity', /no number/u],
    ['1,5', /1\.5, not 1,5/u],
    ['(1,5)', /1\.5, not 1,5/u],
    ['1,000', /1000, not 1,000/u],
    ['max(1,000, 2)', /1000, not 1,000/u],
    ['1 000', /1000, not 1 000/u],
    ['10% - 3', /\(240 - 18%\) \+ 5/u],
    ['6 ft 2 in', /6 ft \+ 2 in/u],
    ['2**3', /\^/u],
    ['0x10', /base ten/u],
    ['20°C in °F', /degC/u],
    ['$5 * 2', /currencies/u],
    ['5 x 3', /To multiply write \*/u],
    ['sine(2)', /sin, /u],
    ['5 meterz', /meter/u],
    ['sin 30', /parentheses/u],
    ['sin(1, 2)', /1 argument\./u],
    ['pi(3)', /pi \* /u],
    ['2 +', /character/u],
    ['(2', /character 1.*missing \)/u],
    ['2)', /character 2/u],
    ['1e10001', /beyond/u],
    ['mod(1e60, 7) + gcd(1e61, 7)', /60 digits/u],
  ])('says how to write %j right', async (expression, wanted) => {
    expect(await refusalOf(expression)).toMatch(wanted);
  });

  it('counts positions in code points', () => {
    expect(tool.check!({ expression: '😀' })[0]?.message).toContain('character 1');
    expect(tool.check!({ expression: '2 × 3 😀' })[0]?.message).toContain('character 7');
  });

  it('takes 1000 characters and leaves 1001 to the schema', () => {
    expect(matchesSchema({ expression: '1'.repeat(1000) })).toBe(true);
    expect(matchesSchema({ expression: '1'.repeat(1001) })).toBe(false);
    expect(matchesSchema({ expression: '' })).toBe(false);
    expect(tool.check!({ expression: '('.repeat(10_000) })).toEqual([]);
    expect(matchesSchema({ expression: '('.repeat(10_000) })).toBe(false);
  });

  it('takes parentheses and signs 50 deep and refuses the 51st', async () => {
    expect(await outputOf(`${'('.repeat(50)}1${')'.repeat(50)}`)).toMatchObject({ result: '1' });
    expect(await refusalOf(`${'('.repeat(51)}1${')'.repeat(51)}`)).toContain('50 deep at character 51');
    expect(await outputOf(`${'-'.repeat(50)}1`)).toMatchObject({ result: '1' });
    expect(await refusalOf(`${'-'.repeat(51)}1`)).toContain('signs');
    expect(await refusalOf(`2${' - '.repeat(300)}1`)).toContain('signs');
  });

  it('leaves types and missing arguments to the schema', () => {
    for (const args of [{}, { expression: 5 }, { expression: null }, { expression: ['1'] }]) {
      expect(tool.check!(args)).toEqual([]);
      expect(matchesSchema(args)).toBe(false);
    }
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
          if (result.status === 'failed') expect(result.code).toBe('INVALID_INPUT');
          else expect(result.output['result']).toMatch(/\S/u);
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
