import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import { quote } from '../core/quote.ts';
import type { SkillNote } from './skill-fault.ts';
import { readStrictJson, type StrictJson } from './strict-json.ts';

export type ShapedJson<T> =
  | { readonly ok: true; readonly value: T; readonly noteAt: Extract<StrictJson, { ok: true }>['noteAt'] }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

/** A reader of strict JSON files of one shape, compiled once. Each fault names the member, its line and its column. */
export function createJsonReader<S extends TSchema>(
  schema: S,
): (bytes: Buffer, file: string) => ShapedJson<Static<S>> {
  const shape = Compile(schema);
  return (bytes, file) => {
    const json = readStrictJson(bytes, file);
    if (!json.ok) return json;
    const { value, noteAt } = json;
    if (shape.Check(value)) return { ok: true, value, noteAt };
    const errors = shape.Errors(value as never).filter(({ keyword }) => keyword !== 'boolean');
    return { ok: false, faults: errors.map((error) => noteAt(error.instancePath, sayError(error))) };
  };
}

function sayError(error: {
  readonly keyword: string;
  readonly params: object;
  readonly message: string;
}): string {
  const { additionalProperties: extra, requiredProperties: missing } = error.params as Record<
    string,
    string[]
  >;
  if (extra !== undefined)
    return `has members that are not known: ${extra.map((name) => quote(name)).join(', ')}.`;
  return missing === undefined ? `${error.message}.` : `lacks ${missing.join(', ')}.`;
}
