import type { BigNumber, Unit } from 'mathjs';
import { ExpressionError } from './expression-error.ts';
import { math } from './math-instance.ts';
import { amountOf, isNumber, showValue, type Value } from './value.ts';

/** A function that an expression may call. `apply` gets between `least` and `most` arguments. */
export interface MathFunction {
  readonly least: number;
  readonly most: number;
  readonly apply: (args: readonly Value[]) => unknown;
}

const MANY = 100;
const MAX_FACTORIAL = 1000;
const MAX_ANGLE = 1e15;
const MAX_HYPERBOLIC = 1000;
const MAX_WHOLE_DIGITS = 60;

/** Decimals kept of a sine or cosine: what is beyond them is the error of pi, so that sin(pi) is 0. */
const ANGLE_DECIMALS = 60;

type Numbers = (...numbers: BigNumber[]) => unknown;

function one(name: string, compute: (x: BigNumber) => unknown): MathFunction {
  return numbers(name, [1, 1], (x) => compute(first([x])));
}

function numbers(name: string, [least, most]: readonly [number, number], compute: Numbers): MathFunction {
  return { least, most, apply: (args) => compute(...args.map((value) => plainNumber(name, value))) };
}

function first(values: readonly (BigNumber | undefined)[]): BigNumber {
  return values[0] ?? math.bignumber(0);
}

function plainNumber(name: string, value: Value): BigNumber {
  if (isNumber(value)) return value;
  throw new ExpressionError(
    `${name} takes plain numbers, and ${showValue(value)} is none.`,
    typeof value === 'boolean'
      ? 'Leave the comparison out.'
      : `Divide by the unit first, such as ${name}(5 cm / (1 cm)).`,
  );
}

/** Keeps the unit: `round(5.678 cm, 1)` is 5.7 cm. */
function keepingUnit(name: string, most: 1 | 2, compute: Numbers): MathFunction {
  return {
    least: 1,
    most,
    apply: ([value = false, ...rest]) => {
      const others = rest.map((other) => plainNumber(name, other));
      if (typeof value === 'boolean' || isNumber(value)) return compute(plainNumber(name, value), ...others);
      const amount = compute(amountOf(value) ?? math.bignumber(1), ...others) as BigNumber;
      return math.unit(amount, value.formatUnits());
    },
  };
}

/** Numbers alone, or quantities alone: mathjs compares and adds what has the same dimension. */
function several(name: string, compute: (values: (BigNumber | Unit)[]) => unknown): MathFunction {
  return {
    least: 1,
    most: MANY,
    apply: (args) => {
      const values = args.map((value) => (typeof value === 'boolean' ? plainNumber(name, value) : value));
      const kinds = new Set(values.map((value) => (isNumber(value) ? '' : value.dimensions.join())));
      if (kinds.size > 1) {
        throw new ExpressionError(
          `${name} got values that cannot be compared: ${args.map(showValue).slice(0, 4).join(', ')}.`,
          'Give all arguments units of one kind, or none.',
        );
      }
      return compute(values);
    },
  };
}

function angle(name: string, compute: (x: BigNumber) => BigNumber): MathFunction {
  return {
    least: 1,
    most: 1,
    apply: ([value = false]) => {
      const isAngle = typeof value !== 'boolean' && !isNumber(value) && value.hasBase('ANGLE');
      const radians = isAngle
        ? math.bignumber(value.toNumeric('rad') as BigNumber)
        : plainNumber(name, value);
      return compute(within(name, radians, MAX_ANGLE)).toDecimalPlaces(ANGLE_DECIMALS);
    },
  };
}

function within(name: string, x: BigNumber, most: number): BigNumber {
  if (x.abs().lte(most)) return x;
  throw new ExpressionError(
    `${name} takes numbers from -${most} to ${most}, and ${showValue(x)} is outside.`,
    `Use a smaller argument.`,
  );
}

function tangent(x: BigNumber): BigNumber {
  const cosine = x.cos().toDecimalPlaces(ANGLE_DECIMALS);
  if (cosine.isZero()) {
    throw new ExpressionError('tan has no value here: the cosine is 0.', 'Use another angle.');
  }
  return x.sin().div(cosine);
}

function whole(name: string, x: BigNumber): BigNumber {
  if (x.isInteger() && (x.isZero() || x.e < MAX_WHOLE_DIGITS)) return x;
  throw new ExpressionError(
    `${name} takes whole numbers of at most ${MAX_WHOLE_DIGITS} digits, and ${showValue(x)} is none.`,
    `Round first, such as ${name}(round(7.2), 3).`,
  );
}

/** A whole number from 0 to 1000, for what grows like a factorial. */
export function smallWhole(name: string, x: BigNumber): BigNumber {
  if (x.isInteger() && x.gte(0) && x.lte(MAX_FACTORIAL)) return x;
  throw new ExpressionError(
    `${name} takes whole numbers from 0 to ${MAX_FACTORIAL}, and ${showValue(x)} is none.`,
    `Use a whole number from 0 to ${MAX_FACTORIAL}, such as 5!.`,
  );
}

function decimals(name: string, places: BigNumber | undefined): number {
  if (places === undefined) return 0;
  if (places.isInteger() && places.gte(0) && places.lte(30)) return places.toNumber();
  throw new ExpressionError(
    `${name} takes 0 to 30 decimals, and got ${showValue(places)}.`,
    `Write the decimals as a whole number, such as ${name}(2.345, 2).`,
  );
}

function positive(name: string, x: BigNumber): BigNumber {
  if (x.gt(0)) return x;
  throw new ExpressionError(
    `${name} takes numbers above 0, and ${showValue(x)} is none.`,
    'Use a positive number: there are no complex numbers.',
  );
}

function logarithm(name: string, x: BigNumber, base?: BigNumber): unknown {
  if (base === undefined) return positive(name, x).ln();
  if (!base.eq(1)) return positive(name, x).log(positive(name, base));
  throw new ExpressionError('log has no base 1.', 'Use another base, such as log(8, 2).');
}

function root(name: string, x: BigNumber, degree: BigNumber): unknown {
  if (degree.isInteger() && degree.gte(1) && degree.lte(1000)) return math.nthRoot(x, degree);
  throw new ExpressionError(
    `${name} takes a whole degree from 1 to 1000, and got ${showValue(degree)}.`,
    `Write the degree second, such as ${name}(27, 3).`,
  );
}

function overWhole(name: 'gcd' | 'lcm'): MathFunction {
  return {
    ...numbers(name, [2, MANY], (...values) => {
      const [head, ...tail] = values.map((value) => whole(name, value));
      return tail.reduce(
        (left, right) => (name === 'gcd' ? math.gcd(left, right) : math.lcm(left, right)),
        first([head]),
      );
    }),
  };
}

/** Everything that can be called, by name. A name that is not a key of this map does not exist. */
export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map(
  Object.entries({
    abs: keepingUnit('abs', 1, (x) => first([x]).abs()),
    sign: one('sign', (x) => math.sign(x)),
    sqrt: { least: 1, most: 1, apply: ([x = false]) => squareRoot(x) },
    cbrt: one('cbrt', (x) => x.cbrt()),
    root: numbers('root', [2, 2], (x, degree) => root('root', first([x]), first([degree]))),
    nthRoot: numbers('nthRoot', [2, 2], (x, degree) => root('nthRoot', first([x]), first([degree]))),
    pow: numbers('pow', [2, 2], (x, y) => math.pow(first([x]), first([y]))),
    exp: one('exp', (x) => x.exp()),
    log: numbers('log', [1, 2], (x, base) => logarithm('log', first([x]), base)),
    ln: one('ln', (x) => logarithm('ln', x)),
    log10: one('log10', (x) => positive('log10', x).log(10)),
    log2: one('log2', (x) => positive('log2', x).log(2)),
    round: keepingUnit('round', 2, (x, places) => first([x]).toDecimalPlaces(decimals('round', places), 4)),
    floor: keepingUnit('floor', 2, (x, places) => first([x]).toDecimalPlaces(decimals('floor', places), 3)),
    ceil: keepingUnit('ceil', 2, (x, places) => first([x]).toDecimalPlaces(decimals('ceil', places), 2)),
    fix: keepingUnit('fix', 2, (x, places) => first([x]).toDecimalPlaces(decimals('fix', places), 1)),
    mod: numbers('mod', [2, 2], (x, y) => remainder(first([x]), first([y]))),
    sin: angle('sin', (x) => x.sin()),
    cos: angle('cos', (x) => x.cos()),
    tan: angle('tan', tangent),
    asin: one('asin', (x) => x.asin()),
    acos: one('acos', (x) => x.acos()),
    atan: one('atan', (x) => x.atan()),
    atan2: numbers('atan2', [2, 2], (y, x) => math.atan2(first([y]) as never, first([x]) as never)),
    sinh: one('sinh', (x) => within('sinh', x, MAX_HYPERBOLIC).sinh()),
    cosh: one('cosh', (x) => within('cosh', x, MAX_HYPERBOLIC).cosh()),
    tanh: one('tanh', (x) => within('tanh', x, MAX_HYPERBOLIC).tanh()),
    hypot: numbers('hypot', [1, MANY], (...xs) =>
      xs.reduce((sum, x) => sum.plus(x.times(x)), math.bignumber(0)).sqrt(),
    ),
    min: several('min', (values) => math.min(...(values as BigNumber[]))),
    max: several('max', (values) => math.max(...(values as BigNumber[]))),
    sum: several('sum', (values) => math.sum(...(values as BigNumber[]))),
    mean: several('mean', (values) => math.mean(...(values as BigNumber[]))),
    median: several('median', (values) => math.median(...(values as BigNumber[]))),
    factorial: one('factorial', (x) => math.factorial(smallWhole('factorial', x))),
    combinations: numbers('combinations', [2, 2], (n, k) => choose('combinations', first([n]), first([k]))),
    permutations: numbers('permutations', [2, 2], (n, k) => choose('permutations', first([n]), first([k]))),
    gcd: overWhole('gcd'),
    lcm: overWhole('lcm'),
  } satisfies Record<string, MathFunction>),
);

function squareRoot(x: Value): unknown {
  if (typeof x === 'boolean' || isNumber(x)) return plainNumber('sqrt', x).sqrt();
  return math.sqrt(x);
}

/** The remainder with the sign of the divisor: mod(-7, 3) is 2. */
export function remainder(x: BigNumber, y: BigNumber): unknown {
  if (!y.isZero()) return math.mod(x, y);
  throw new ExpressionError('A remainder of a division by 0 has no value.', 'Use another divisor.');
}

function choose(name: 'combinations' | 'permutations', n: BigNumber, k: BigNumber): unknown {
  if (smallWhole(name, k).lte(smallWhole(name, n))) return math[name](n, k);
  throw new ExpressionError(
    `${name} cannot take ${showValue(k)} out of ${showValue(n)}.`,
    `Write the larger number first, such as ${name}(5, 2).`,
  );
}
