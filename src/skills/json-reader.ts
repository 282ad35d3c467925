import type { Static, TSchema } from 'typebox';

import { createShapeCheck } from '../core/check-shape.ts';
import type { SkillNote } from './skill-fault.ts';
import { readStrictJson, type StrictJson } from './strict-json.ts';

export type ShapedJson<T> =
  | { readonly ok: true; readonly value: T; readonly noteAt: Extract<StrictJson, { ok: true }>['noteAt'] }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

/** A reader of strict JSON files of one shape, compiled once. Each fault names the member, its line and its column. */
export function createJsonReader<S extends TSchema>(
  schema: S,
): (bytes: Buffer, file: string) => ShapedJson<Static<S>> {
  const check = createShapeCheck(schema);
  return (bytes, file) => {
    const json = readStrictJson(bytes, file);
    if (!json.ok) return json;
    const { noteAt } = json;
    const checked = check(json.value);
    if (checked.ok) return { ok: true, value: checked.value, noteAt };
    return { ok: false, faults: checked.faults.map(({ path, message }) => noteAt(path, `${message}.`)) };
  };
}
