import type { Fault } from '../core/broker-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { quote } from '../core/quote.ts';

/** Faults as they are found; one answer names them all. */
export type FaultList = Fault[];

interface Place {
  /** JSON pointer into the body. */
  readonly path: string;
  readonly faults: FaultList;
}

/** The members of an object, none of them unknown; an empty object where there is a fault. */
export function fieldsOf(
  given: JsonValue,
  { path, known, faults }: Place & { readonly known: readonly string[] },
): JsonObject {
  if (!isJsonObject(given)) {
    refuse(given, { path, expected: 'an object', faults });
    return {};
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const shown = quote(name).slice(1, -1);
    faults.push({ path: `${path}/${shown}`, message: `is not known; known: ${known.join(', ')}` });
  }
  return given;
}

/** A whole number from 1 to `ceiling`; undefined where none is given, and where there is a fault. */
export function readCount(
  given: JsonValue | undefined,
  { path, ceiling, faults }: Place & { readonly ceiling: number },
): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isInteger(given) && given >= 1 && given <= ceiling) return given;
  refuse(given, { path, expected: `a whole number from 1 to ${ceiling}`, faults });
  return undefined;
}

/** Characters are code points. */
export function isText(given: JsonValue, maxCharacters: number): given is string {
  return typeof given === 'string' && given !== '' && Array.from(given).length <= maxCharacters;
}

export function refuse(
  given: JsonValue,
  { path, expected, faults }: Place & { readonly expected: string },
): void {
  faults.push({ path, message: `must be ${expected}; received ${quote(given)}` });
}
