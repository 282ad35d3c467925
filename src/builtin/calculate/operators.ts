import type { BigNumber, Unit } from 'mathjs';
import { ExpressionError } from './expression-error.ts';
import { remainder, smallWhole } from './functions.ts';
import { math } from './math-instance.ts';
import { amountOf, isNumber, showValue, type Value } from './value.ts';

type Operand = BigNumber | Unit;
type Operator = (left: Operand, right: Operand) => unknown;

const MAX_UNIT_POWER = 20;

/**
 * Every operator that may stand in an expression, by mathjs's name for its function. A unary one is called with its
 * operand twice. A name that is not a key of this map does not exist.
 */
export const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['unaryMinus', (x) => math.unaryMinus(x)],
  ['unaryPlus', (x) => x],
  ['factorial', (x) => math.factorial(smallWhole('factorial', plain('!', x)))],
  ['add', (a, b) => math.add(...sameScale('+', a, b))],
  ['subtract', (a, b) => math.subtract(...sameScale('-', a, b))],
  ['multiply', (a, b) => math.multiply(a, b)],
  ['divide', divide],
  ['mod', (a, b) => remainder(plain('%', a), plain('%', b))],
  ['pow', power],
  ['to', convert],
  ['smaller', (a, b) => math.smaller(...alike('<', a, b))],
  ['smallerEq', (a, b) => math.smallerEq(...alike('<=', a, b))],
  ['larger', (a, b) => math.larger(...alike('>', a, b))],
  ['largerEq', (a, b) => math.largerEq(...alike('>=', a, b))],
  ['equal', (a, b) => math.equal(...alike('==', a, b))],
  ['unequal', (a, b) => math.unequal(...alike('!=', a, b))],
]);

/** The operand of an arithmetic operator; the answer of a comparison is none. */
export function operand(value: Value): Operand {
  if (typeof value !== 'boolean') return value;
  throw new ExpressionError(
    'A comparison stands inside a calculation.',
    'Send the comparison alone, such as 3 ft > 90 cm.',
  );
}

function plain(sign: string, value: Operand): BigNumber {
  if (isNumber(value)) return value;
  throw new ExpressionError(
    `${sign} takes plain numbers, and ${showValue(value)} has a unit.`,
    'Divide by the unit first, such as mod(7 m / (1 m), 3).',
  );
}

function divide(a: Operand, b: Operand): unknown {
  const divisor = isNumber(b) ? b : amountOf(b);
  if (divisor?.isZero() !== true) return math.divide(a, b);
  throw new ExpressionError(
    `${showValue(a)} is divided by 0.`,
    'Use another divisor: a division by 0 has no value.',
  );
}

function power(base: Operand, exponent: Operand): unknown {
  if (!isNumber(exponent)) {
    throw new ExpressionError(
      `The exponent ${showValue(exponent)} has a unit.`,
      'An exponent is a plain number: write the unit outside, such as (2^3) m.',
    );
  }
  if (isNumber(base) && base.isZero() && exponent.isNegative() && !exponent.isZero()) {
    throw new ExpressionError('0 is raised to a negative power.', 'Use another base: it would divide by 0.');
  }
  if (!isNumber(base) && exponent.abs().gt(MAX_UNIT_POWER)) {
    throw new ExpressionError(
      `A unit is raised to ${showValue(exponent)}.`,
      `Raise units to powers from -${MAX_UNIT_POWER} to ${MAX_UNIT_POWER} only.`,
    );
  }
  return math.pow(base, exponent);
}

function convert(from: Operand, to: Operand): unknown {
  if (isNumber(to) || amountOf(to) !== undefined) {
    throw new ExpressionError(
      `${showValue(to)} is no unit to convert to.`,
      'After `in` or `to` write a unit without a number, such as 5 ft in cm.',
    );
  }
  if (isNumber(from)) {
    throw new ExpressionError(
      `${showValue(from)} has no unit and cannot become ${showValue(to)}.`,
      `Give the number a unit first, such as 5 ft in cm or asin(0.5) rad in deg.`,
    );
  }
  if (!from.equalBase(to)) throw differentKinds('in', from, to);
  const quantity = amountOf(from) === undefined ? math.multiply(math.bignumber(1), from) : from;
  return math.to(quantity as Unit, to);
}

function alike(sign: string, a: Operand, b: Operand): [Unit, Unit] {
  for (const value of [a, b]) {
    if (!isNumber(value) && amountOf(value) === undefined) {
      throw new ExpressionError(
        `The unit ${showValue(value)} stands beside ${sign} without a number.`,
        `Put a number before it, such as 1 ${showValue(value)}.`,
      );
    }
  }
  if (isNumber(a) !== isNumber(b) || (!isNumber(a) && !isNumber(b) && !a.equalBase(b))) {
    throw differentKinds(sign, a, b);
  }
  return [a, b] as [Unit, Unit];
}

/** A temperature in degC and one in degF or K do not share their zero, so that neither sum means what it says. */
function sameScale(sign: string, a: Operand, b: Operand): [Unit, Unit] {
  const [left, right] = alike(sign, a, b);
  if (isNumber(a) || left.formatUnits() === right.formatUnits()) return [left, right];
  for (const { unit } of [...left.units, ...right.units]) {
    if (math.bignumber(unit.offset).isZero()) continue;
    throw new ExpressionError(
      `${showValue(left)} ${sign} ${showValue(right)} joins temperatures of different scales.`,
      'Write both in one unit, such as 20 degC + 5 degC, and convert the sum.',
    );
  }
  return [left, right];
}

function differentKinds(sign: string, a: Operand, b: Operand): ExpressionError {
  return new ExpressionError(
    `${showValue(a)} and ${showValue(b)} do not measure the same kind of thing, so \`${sign}\` cannot join them.`,
    'Use units of one kind on both sides, such as 5 ft in cm or 5 ft + 3 in.',
  );
}
