import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import type { Told } from './choose-form.ts';
import { jsonType, typesOf, unionForms } from './describe-shape.ts';
import { exampleFor } from './example-for.ts';
import { flattenSchema, isSchema, valueAt, type Schema } from './read-schema.ts';
import { parentPointer } from './find-place.ts';
import { satisfies } from './satisfies.ts';
import type { Telling } from './sentence.ts';

const MAX_SHOWN = 400;

export interface Wrong {
  readonly value: JsonValue | undefined;
  /** What the value should have satisfied. */
  readonly schema: JsonObject;
  readonly told: Told;
  readonly telling: Telling;
}

/** The closing sentence of a fault: what to send instead, as sure as it can be told; empty when it cannot. */
export function suggestValue(wrong: Wrong): string {
  const { told } = wrong;
  if (told.fitting !== undefined) return ` Did you mean ${JSON.stringify(told.fitting)}?`;
  return (
    embedded(wrong) ??
    converted(wrong) ??
    similar(wrong) ??
    clamped(wrong) ??
    shortened(wrong) ??
    example(wrong)
  );
}

/** JSON that was sent as text. */
function embedded({ value, schema, telling: { root } }: Wrong): string | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/u.test(value)) return undefined;
  const inner = parse(value);
  const wanted = wantedTypes(schema, root);
  if (inner === undefined || !wanted.includes(jsonType(inner))) return undefined;
  return ' This is JSON inside a string. Send the value itself, without quotes around it.';
}

function wantedTypes(schema: Schema, root: Schema): string[] {
  const flat = flattenSchema(schema, root);
  return [...typesOf(flat), ...unionForms(flat).flatMap((form) => typesOf(flattenSchema(form, root)))];
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The same value in the type that is wanted: "5" as 5, 5 as "5", x as [x], [x] as x. */
function converted({ value, schema, telling: { root } }: Wrong): string | undefined {
  const candidates: JsonValue[] = [];
  if (typeof value === 'string') candidates.push(...readScalar(value));
  if (typeof value === 'number' || typeof value === 'boolean') candidates.push(String(value));
  if (Array.isArray(value) && value.length === 1) candidates.push((value as readonly JsonValue[])[0] ?? null);
  if (isJsonObject(value) && Object.keys(value).length === 1) candidates.push(...Object.values(value));
  if (value !== undefined && !Array.isArray(value)) candidates.push([value]);
  const fitting = candidates.find((one) => satisfies(one, schema, root));
  const text = fitting === undefined ? undefined : JSON.stringify(fitting);
  return text === undefined || text.length > MAX_SHOWN ? undefined : ` Send ${text}.`;
}

function readScalar(text: string): JsonValue[] {
  const trimmed = text.trim();
  const scalar = parse(trimmed);
  const words: Readonly<Record<string, JsonValue>> = {
    true: true,
    yes: true,
    false: false,
    no: false,
    null: null,
    none: null,
  };
  const word = trimmed.toLowerCase();
  return [
    ...(scalar === undefined || typeof scalar === 'object' ? [] : [scalar]),
    ...(Object.hasOwn(words, word) ? [words[word] ?? null] : []),
    ...(trimmed === text ? [] : [trimmed]),
  ];
}

function similar({ value, schema, told, telling }: Wrong): string | undefined {
  const { root } = telling;
  const flat = flattenSchema(schema, root);
  const allowed = told.choices ?? flat['enum'] ?? (flat['const'] === undefined ? undefined : [flat['const']]);
  if (!Array.isArray(allowed)) return undefined;
  const choices = allowed as readonly JsonValue[];
  const [only, ...others] = choices;
  if (only !== undefined && others.length === 0) return ` Send ${JSON.stringify(only)}.`;
  const names = choices.filter((one) => typeof one === 'string');
  const nearest = typeof value === 'string' ? nearestNames(value, names, 1)[0] : undefined;
  if (nearest !== undefined) return ` Did you mean ${JSON.stringify(nearest)}?`;
  const taken = besides(told, telling);
  const fitting = choices.filter((one) => satisfies(one, schema, root));
  const first = fitting.find((one) => !taken.includes(one)) ?? fitting[0] ?? only;
  return first === undefined ? undefined : ` For example: ${JSON.stringify(first)}.`;
}

/** For a number out of range, the end of the range that it crossed. */
function clamped({ value, schema, told, telling }: Wrong): string | undefined {
  if (typeof value !== 'number') return undefined;
  const { root } = telling;
  const { minimum, maximum, multipleOf } = flattenSchema(schema, root);
  const step = typeof multipleOf === 'number' ? multipleOf : 1;
  const inner =
    typeof maximum === 'number' && value > maximum
      ? maximum - step
      : (typeof minimum === 'number' ? minimum : 0) + step;
  const candidates = [
    minimum,
    maximum,
    value > 0 ? 1 : 0,
    1,
    Math.round(value / step) * step,
    Math.round(value),
    inner,
  ].filter((one) => typeof one === 'number');
  const taken = besides(told, telling);
  const fitting = candidates
    .map((one) => Number(one.toPrecision(12)))
    .filter((one) => satisfies(one, schema, root))
    .toSorted((a, b) => Math.abs(a - value) - Math.abs(b - value));
  const nearest = fitting.find((one) => !taken.includes(one)) ?? fitting[0];
  return nearest === undefined ? undefined : ` For example: ${nearest}.`;
}

/** The other items of the list that a value stands in: a list may want each value once. */
function besides(told: Told, telling: Telling): readonly JsonValue[] {
  const list = valueAt(telling.args, parentPointer(told.complaint.pointer));
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

/** Too long: the limit already says what to do, and an example would be another text. */
function shortened({ value, schema, told, telling: { root } }: Wrong): string | undefined {
  const { maxLength } = flattenSchema(schema, root);
  const { keyword, params } = told.complaint.fault;
  if (keyword === 'maxLength' && typeof value === 'string' && typeof maxLength === 'number') {
    return ` Shorten it to ${maxLength} characters.`;
  }
  const isTooLong = keyword === 'maxItems' || keyword === 'items' || keyword === 'additionalItems';
  return isTooLong && Array.isArray(value) && typeof params['limit'] === 'number'
    ? ` Shorten it to ${params['limit']} items.`
    : undefined;
}

function example({ value, schema, telling: { root } }: Wrong): string {
  if (Object.keys(schema).length === 0) return '';
  const made = exampleFor(schema, root);
  const kept =
    isJsonObject(made) && isJsonObject(value) && satisfies({ ...made, ...value }, schema, root)
      ? { ...made, ...value }
      : made;
  const text = kept === undefined || !isSchema(schema) ? undefined : JSON.stringify(kept);
  return text === undefined || text.length > MAX_SHOWN ? '' : ` For example: ${text}.`;
}
