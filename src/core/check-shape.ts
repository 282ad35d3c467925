import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import type { Fault } from './broker-error.ts';
import { isJsonObject } from './json.ts';
import { quote } from './quote.ts';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * A check of `schema`, compiled once. The faults name the member, what is wrong and what was received. The value is
 * returned as it is, with what `schema` does not name.
 */
export function createShapeCheck<S extends TSchema>(schema: S): (value: unknown) => Checked<Static<S>> {
  const validator = Compile(schema);
  return (value) => {
    if (validator.Check(value)) return { ok: true, value };
    const faults = validator
      .Errors(value as never)
      .filter((error) => error.keyword !== 'additionalProperties')
      .map((error) => ({
        path: error.instancePath,
        message: sayFault(error, valueAt(value, error.instancePath)),
      }));
    return { ok: false, faults };
  };
}

/** Faults as one line for a build log or a boot fault. */
export function sayFaults(faults: readonly Fault[]): string {
  const shown = faults.slice(0, 5).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
  const rest = faults.length - shown.length;
  return `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function sayFault(error: { keyword: string; params: object; message: string }, received: unknown): string {
  // What a closed object does not name is checked against the schema `false`.
  if (error.keyword === 'boolean') return 'is not a known member';
  if (error.keyword === 'required') {
    const { requiredProperties } = error.params as { requiredProperties: string[] };
    return `lacks ${requiredProperties.join(', ')}`;
  }
  return `${error.message}, received ${quote(received)}`;
}

function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}
