import { afterAll, describe, expect, it } from 'vitest';
import { startCalculator } from './start-calculator.ts';

const { close, matchesSchema, outputOf, refusalOf, tool } = startCalculator();
afterAll(close);

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
    ['3 in cm', /reads as inches/u],
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
    const refusal = await refusalOf(expression);
    expect(refusal).toMatch(/^INVALID_INPUT: /u);
    expect(refusal).toMatch(wanted);
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
