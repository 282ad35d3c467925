import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { typesOf, unionForms } from './describe-shape.ts';
import { formatNote } from './format-notes.ts';
import {
  flattenSchema,
  isSchema,
  member,
  schemaList,
  schemaMap,
  stringList,
  type Schema,
} from './read-schema.ts';
import { satisfies } from './satisfies.ts';
import { textMatching } from './text-matching.ts';

const MAX_DEPTH = 12;
const MAX_STEPS = 2_000;
const MAX_ITEMS = 20;
const MAX_FORMS = 20;
/** Lists that may be empty are, from this depth on. */
const MAX_FILLED_DEPTH = 2;

/**
 * A small value that is valid: the schema's own example, default or first allowed value where it has one, else
 * made up, with required members only. Undefined when none could be made or its validity is not sure. Bounded in
 * time and size, whatever the schema.
 */
export function exampleFor(schema: Schema, root: Schema = schema): JsonValue | undefined {
  const example = make(schema, { root, depth: 0, budget: { steps: 0 } });
  return example !== undefined && satisfies(example, schema, root) ? example : undefined;
}

interface Making {
  readonly root: Schema;
  readonly depth: number;
  readonly budget: { steps: number };
}

function make(schema: Schema, making: Making): JsonValue | undefined {
  making.budget.steps += 1;
  if (making.depth > MAX_DEPTH || making.budget.steps > MAX_STEPS || schema === false) return undefined;
  if (schema === true) return 'text';
  const flat = flattenSchema(schema, making.root);
  const stated = statedValue(flat, schema, making.root);
  if (stated !== undefined) return stated;
  const forms = unionForms(flat);
  return forms.length > 0 ? makeForm(flat, forms, making) : makeByType(flat, making);
}

/** A value that the schema itself names. */
function statedValue(flat: JsonObject, schema: Schema, root: Schema): JsonValue | undefined {
  const { const: constant, enum: values, examples, example, default: fallback } = flat;
  if (constant !== undefined) return constant;
  const named = [
    ...(Array.isArray(examples) ? (examples as readonly JsonValue[]).slice(0, 5) : []),
    ...[example, fallback].filter((value) => value !== undefined),
    ...(Array.isArray(values) ? (values as readonly JsonValue[]).slice(0, 50) : []),
  ];
  return (
    named.find((value) => value !== null && satisfies(value, schema, root)) ??
    (named.includes(null) ? null : undefined)
  );
}

function makeForm(flat: JsonObject, forms: readonly Schema[], making: Making): JsonValue | undefined {
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = flat;
  const made: JsonValue[] = [];
  for (const form of forms.slice(0, MAX_FORMS)) {
    const value = make({ allOf: [rest, form] }, { ...making, depth: making.depth + 1 });
    if (value !== undefined && satisfies(value, flat, making.root)) made.push(value);
  }
  const [smallest] = made
    .filter((value) => value !== null)
    .toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  return smallest ?? (made.length > 0 ? null : undefined);
}

function makeByType(flat: JsonObject, making: Making): JsonValue | undefined {
  const types = typesOf(flat);
  switch (types.find((type) => type !== 'null') ?? types[0] ?? 'string') {
    case 'object':
      return makeObject(flat, making);
    case 'array':
      return makeArray(flat, making);
    case 'string':
      return makeText(flat);
    case 'integer':
      return makeNumber(flat, 1);
    case 'number':
      return makeNumber(flat, undefined);
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function makeObject(flat: JsonObject, making: Making): JsonObject | undefined {
  const properties = new Map(schemaMap(flat['properties']));
  const made: [string, JsonValue][] = [];
  const minimum = typeof flat['minProperties'] === 'number' ? flat['minProperties'] : 0;
  const required = stringList(flat['required']);
  const optional = [...properties.keys()].filter((name) => !required.includes(name));
  for (const name of [...required, ...optional.slice(0, Math.max(0, minimum - required.length))]) {
    const open = flat['additionalProperties'];
    const value = make(properties.get(name) ?? (isSchema(open) ? open : true), {
      ...making,
      depth: making.depth + 1,
    });
    if (value === undefined) return undefined;
    made.push([name, value]);
  }
  return Object.fromEntries([...made, ...madeNames(flat, minimum - made.length, making)]);
}

/** Members with names of our own, where the schema asks for more than it names. */
function madeNames(flat: JsonObject, missing: number, making: Making): [string, JsonValue][] {
  const open = flat['additionalProperties'];
  const made: [string, JsonValue][] = [];
  for (let index = 1; index <= Math.min(missing, MAX_ITEMS); index += 1) {
    const value = make(isSchema(open) ? open : true, { ...making, depth: making.depth + 1 });
    if (value !== undefined) made.push([`name_${index}`, value]);
  }
  return made;
}

function makeArray(flat: JsonObject, making: Making): JsonValue[] | undefined {
  const minimum = typeof flat['minItems'] === 'number' ? flat['minItems'] : 0;
  const maximum = typeof flat['maxItems'] === 'number' ? flat['maxItems'] : MAX_ITEMS;
  const places = schemaList(flat['prefixItems'] ?? flat['items']);
  const rest = isSchema(flat['items']) ? flat['items'] : true;
  const atLeast = making.depth > MAX_FILLED_DEPTH ? minimum : Math.max(minimum, places.length, 1);
  const wanted = Math.min(maximum, atLeast);
  if (minimum > MAX_ITEMS) return undefined;
  const made: JsonValue[] = [];
  for (let index = 0; index < wanted; index += 1) {
    const value = make(places[index] ?? rest, { ...making, depth: making.depth + 1 });
    if (value === undefined) return minimum <= index ? made : undefined;
    made.push(flat['uniqueItems'] === true ? vary(value, index, places[index] ?? rest) : value);
  }
  return made;
}

/** Different values for a list that allows no item twice. */
function vary(value: JsonValue, index: number, schema: Schema): JsonValue {
  const values = isJsonObject(schema) ? member(schema, 'enum') : undefined;
  if (Array.isArray(values)) return (values as readonly JsonValue[])[index] ?? value;
  if (index === 0) return value;
  if (typeof value === 'number') return value + index;
  return typeof value === 'string' ? `${value}${index + 1}` : value;
}

function makeText(flat: JsonObject): string | undefined {
  const minLength = typeof flat['minLength'] === 'number' ? flat['minLength'] : 0;
  const maxLength = typeof flat['maxLength'] === 'number' ? flat['maxLength'] : Infinity;
  const { pattern, format } = flat;
  const note = typeof format === 'string' ? formatNote(format) : undefined;
  if (note !== undefined) return note.example;
  if (typeof pattern === 'string')
    return textMatching(pattern, Math.max(minLength, 1)) ?? textMatching(pattern, minLength);
  if (minLength > 1_000) return undefined;
  return 'text'.padEnd(minLength, ' text').slice(0, maxLength).replace(/ $/u, 't');
}

function makeNumber(flat: JsonObject, grain: number | undefined): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = flat;
  const step = typeof multipleOf === 'number' ? multipleOf : grain;
  const low = [
    typeof minimum === 'number' ? minimum : -Infinity,
    typeof exclusiveMinimum === 'number'
      ? above(exclusiveMinimum, step, exclusiveMaximum ?? maximum)
      : -Infinity,
    exclusiveMinimum === true && typeof minimum === 'number' ? above(minimum, step, maximum) : -Infinity,
  ].reduce((a, b) => Math.max(a, b));
  const high =
    typeof maximum === 'number'
      ? maximum
      : typeof exclusiveMaximum === 'number'
        ? exclusiveMaximum
        : Infinity;
  const unit = step ?? 1;
  if (low === -Infinity) {
    const top = exclusiveMaximum === high || exclusiveMaximum === true ? high - unit : high;
    return top >= unit ? unit : Math.floor(top / unit) * unit;
  }
  const start = low <= unit && unit < high ? unit : low;
  return step === undefined ? start : Number((Math.ceil(start / step - 1e-9) * step).toPrecision(12));
}

/** The next number above one that is excluded: a whole step, or halfway to the upper end if that is near. */
function above(bound: number, step: number | undefined, end: JsonValue | undefined): number {
  if (step !== undefined) return (Math.floor(bound / step + 1e-9) + 1) * step;
  return typeof end === 'number' && end <= bound + 1 ? (bound + end) / 2 : bound + 1;
}
