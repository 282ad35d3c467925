import type { BigNumber, Unit } from 'mathjs';
import { ExpressionError } from './expression-error.ts';
import { math } from './math-instance.ts';

/** What a step of a calculation can give. */
export type Value = BigNumber | Unit | boolean;

/** Powers of ten beyond this are refused at every step, so that no step can need much time or memory. */
const MAX_EXPONENT = 10_000;

/** A short form for messages. */
export function showValue(value: Value): string {
  if (typeof value === 'boolean') return String(value);
  if (isNumber(value)) return value.toSignificantDigits(15).toString();
  const amount = amountOf(value);
  return amount === undefined ? value.formatUnits() : `${showValue(amount)} ${value.formatUnits()}`;
}

export function isNumber(value: unknown): value is BigNumber {
  return math.isBigNumber(value);
}

/** The number in front of a quantity's own unit; undefined for a unit that stands alone. */
export function amountOf(unit: Unit): BigNumber | undefined {
  if ((unit.value as number | null) === null) return undefined;
  const json = unit.toJSON() as unknown as { value: number | BigNumber };
  return math.bignumber(json.value);
}

/**
 * What mathjs answered, as a value that a next step may have. Throws ExpressionError, with `what` as its subject,
 * for results that are no real number or beyond the limits.
 */
export function settle(raw: unknown, what: string): Value {
  if (typeof raw === 'boolean') return raw;
  if (isNumber(raw)) return inRange(raw, what);
  if (!math.isUnit(raw)) throw noRealValue(what);
  if ((raw.value as number | null) === null) return raw;
  const base = math.bignumber(raw.value);
  inRange(base, what);
  return raw.dimensions.every((power) => Math.abs(power) < 1e-12) ? base : raw;
}

function inRange(number: BigNumber, what: string): BigNumber {
  if (number.isNaN()) throw noRealValue(what);
  if (!number.isFinite() || (!number.isZero() && Math.abs(number.e) > MAX_EXPONENT)) {
    throw new ExpressionError(
      `${what} is beyond 10^${MAX_EXPONENT} or closer to 0 than 10^-${MAX_EXPONENT}.`,
      'Use smaller numbers, or calculate with logarithms, such as 9^9 * log10(9).',
    );
  }
  return number;
}

function noRealValue(what: string): ExpressionError {
  return new ExpressionError(
    `${what} has no value among the real numbers.`,
    'Use arguments for which a real result exists: there are no complex numbers.',
  );
}
