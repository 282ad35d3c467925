import type { BigNumber, Unit } from 'mathjs';
import { nearestNames } from '../../core/nearest-names.ts';
import { quote } from '../../core/quote.ts';
import { ExpressionError, placeOf } from './expression-error.ts';
import { FUNCTIONS } from './functions.ts';
import { math } from './math-instance.ts';

const PI = math.bignumber(-1).acos();

const CONSTANTS: ReadonlyMap<string, BigNumber> = new Map([
  ['pi', PI],
  ['PI', PI],
  ['tau', PI.times(2)],
  ['e', math.bignumber(1).exp()],
  ['phi', math.bignumber(5).sqrt().plus(1).div(2)],
]);

/** Units that mathjs writes as a quotient only. */
const UNIT_ALIASES: ReadonlyMap<string, string> = new Map([
  ['mph', 'mi/h'],
  ['kph', 'km/h'],
  ['kmh', 'km/h'],
]);

/** What is often written and means something that this tool writes in another way. */
const NAME_HINTS: ReadonlyMap<string, string> = new Map([
  ['x', 'To multiply write *, such as 3 * 4; there are no variables.'],
  ['X', 'To multiply write *, such as 3 * 4; there are no variables.'],
  ['i', 'There are no complex numbers.'],
  ['of', 'Write `of` only after a percentage, such as 18% of 240.'],
  ['percent', 'Write a percentage with %, such as 18% of 240.'],
  ['C', 'For degrees Celsius write degC.'],
  ['celcius', 'For degrees Celsius write degC.'],
  ['USD', 'There are no currencies: send the numbers alone.'],
  ['EUR', 'There are no currencies: send the numbers alone.'],
  ['cal', 'Write joules: 1 cal is 4.184 J.'],
  ['kcal', 'Write joules: 1 kcal is 4184 J.'],
  ['Infinity', 'There is no infinity: use a finite number.'],
  ['NaN', 'There is only what has a value: use a finite number.'],
]);

/** Units whose size is no real number. */
const COMPLEX_UNITS: ReadonlySet<string> = new Set(['VAR']);

const UNIT_NAMES: readonly string[] = Object.keys(math.Unit.UNITS).filter((name) => !COMPLEX_UNITS.has(name));

/** The value of a constant or unit; undefined when there is none of that name. */
export function resolveName(name: string): BigNumber | Unit | undefined {
  const constant = CONSTANTS.get(name);
  if (constant !== undefined) return constant;
  const alias = UNIT_ALIASES.get(name);
  if (alias !== undefined) return valueless(alias);
  const unit = math.Unit.isValuelessUnit(name) ? valueless(name) : undefined;
  return unit?.units.some((part) => COMPLEX_UNITS.has(part.unit.name)) === true ? undefined : unit;
}

function valueless(name: string): Unit {
  // mathjs makes its own units so; its type leaves the null out.
  return new math.Unit(null as unknown as number, name);
}

/** Why a name that stands alone in `text` cannot be used. */
export function unknownName(text: string, name: string): ExpressionError {
  const place = placeOfName(text, name);
  if (FUNCTIONS.has(name)) {
    return new ExpressionError(
      `The function ${name} stands without arguments${place}.`,
      `Write its arguments in parentheses, such as ${name}(2).`,
    );
  }
  return new ExpressionError(
    `${quote(name)}${place} is no known constant or unit.`,
    hintFor(name, [...CONSTANTS.keys(), ...UNIT_ALIASES.keys(), ...UNIT_NAMES]) ??
      'Put the value in its place: there are no variables. Constants are pi, e, tau and phi.',
  );
}

/** Why a name that is called in `text` is no function. */
export function unknownFunction(text: string, name: string): ExpressionError {
  const place = placeOfName(text, name);
  if (resolveName(name) !== undefined) {
    return new ExpressionError(
      `${quote(name)}${place} is called, but it is no function.`,
      `To multiply write ${name} * (2).`,
    );
  }
  return new ExpressionError(
    `${quote(name)}${place} is no function that can be called.`,
    hintFor(name, [...FUNCTIONS.keys()]) ?? `Use one of ${[...FUNCTIONS.keys()].join(', ')}.`,
  );
}

function hintFor(name: string, known: readonly string[]): string | undefined {
  const near = nearestNames(name, known, 3);
  return NAME_HINTS.get(name) ?? (near.length === 0 ? undefined : `Did you mean ${near.join(', ')}?`);
}

function placeOfName(text: string, name: string): string {
  for (const word of text.matchAll(/[A-Za-z_]\w*/gu)) {
    if (word[0] === name) return placeOf(text, word.index);
  }
  return '';
}
