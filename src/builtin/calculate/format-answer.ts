import type { BigNumber } from 'mathjs';
import type { JsonObject } from '../../core/json.ts';
import { ExpressionError } from './expression-error.ts';
import { amountOf, isNumber, type Value } from './value.ts';

/** Answers that end within this many significant digits are shown whole. */
const MAX_DIGITS = 30;

/** For the others, when the caller names no precision. */
const DEFAULT_DIGITS = 15;

/**
 * What a caller gets: `result` as text with its unit; `value` where a JSON number can hold it; `unit`; `rounded`
 * when `result` shows fewer digits than were worked out.
 */
export function formatAnswer(answer: Value, precision: number | undefined): JsonObject {
  if (typeof answer === 'boolean') return { result: String(answer) };
  if (isNumber(answer)) return formatNumber(answer, precision, '');
  const unit = answer.skipAutomaticSimplification ? answer : answer.simplify();
  const amount = amountOf(unit);
  if (amount === undefined) {
    throw new ExpressionError(
      `The unit ${unit.formatUnits()} stands without a number.`,
      `Put a number before it, such as 1 ${unit.formatUnits()}.`,
    );
  }
  return formatNumber(amount, precision, unit.formatUnits().replaceAll(' / ', '/'));
}

function formatNumber(exact: BigNumber, precision: number | undefined, unit: string): JsonObject {
  const digits = precision ?? (exact.precision() <= MAX_DIGITS ? MAX_DIGITS : DEFAULT_DIGITS);
  const shown = exact.toSignificantDigits(digits);
  const text = shown.isZero() ? '0' : Math.abs(shown.e) < MAX_DIGITS ? shown.toFixed() : shown.toString();
  const value = shown.isZero() ? 0 : (precision === undefined ? exact : shown).toNumber();
  const isHeld =
    Number.isFinite(value) &&
    (value !== 0 || shown.isZero()) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value));
  return {
    result: unit === '' ? text : `${text} ${unit}`,
    ...(isHeld ? { value } : {}),
    ...(unit === '' ? {} : { unit }),
    ...(shown.eq(exact) ? {} : { rounded: true }),
  };
}
