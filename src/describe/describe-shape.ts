import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { formatNote } from './format-notes.ts';
import {
  flattenSchema,
  isSchema,
  member,
  refOf,
  schemaList,
  stringList,
  type Schema,
} from './read-schema.ts';

const MAX_VALUES_SHOWN = 24;
const MAX_VALUE_CHARACTERS = 200;
const MAX_DEPTH = 4;

/** What a value must be, in a few words: `integer`, `array of string`, `string or null`, `"a" or "b"`. */
export function typeLabel(schema: Schema, root: Schema, depth = 0): string {
  if (typeof schema === 'boolean') return schema ? 'any' : 'nothing';
  if (depth > MAX_DEPTH) return refName(schema) ?? 'any';
  const flat = flattenSchema(schema, root);
  if (flat['const'] !== undefined) return showValue(flat['const']);
  const forms = unionForms(flat);
  if (forms.length > 0 && flat['type'] !== 'object') return unionLabel(forms, root, depth);
  const types = typesOf(flat);
  return types.length === 0 ? 'any' : types.map((type) => oneType(type, flat, { root, depth })).join(' or ');
}

function oneType(type: string, flat: JsonObject, at: { root: Schema; depth: number }): string {
  const items = flat['items'];
  if (type !== 'array' || !isSchema(items)) return type;
  const label = typeLabel(items, at.root, at.depth + 1);
  return label === 'any' ? 'array' : `array of ${label.includes(' or ') ? `(${label})` : label}`;
}

function unionLabel(forms: readonly Schema[], root: Schema, depth: number): string {
  const labels = [...new Set(forms.map((form) => typeLabel(form, root, depth + 1)))];
  const text = labels.join(' or ');
  return labels.length <= 8 && text.length <= 120 ? text : `one of ${forms.length} forms`;
}

/** The alternatives of a flat schema: anyOf, else oneOf. */
export function unionForms(flat: JsonObject): Schema[] {
  const anyOf = schemaList(flat['anyOf']);
  return anyOf.length > 0 ? anyOf : schemaList(flat['oneOf']);
}

/** The JSON types that a flat schema allows; told from its other keywords where it has no `type`; empty: any. */
export function typesOf(flat: JsonObject): string[] {
  const type = flat['type'];
  const nullable = flat['nullable'] === true ? ['null'] : [];
  if (typeof type === 'string') return [...new Set([type, ...nullable])];
  if (Array.isArray(type)) return stringList(type);
  const values = flat['enum'] ?? (flat['const'] === undefined ? undefined : [flat['const']]);
  if (Array.isArray(values)) return [...new Set((values as readonly JsonValue[]).map(jsonType))];
  if (['properties', 'required', 'additionalProperties'].some((key) => flat[key] !== undefined))
    return ['object'];
  if (['items', 'prefixItems', 'minItems', 'maxItems'].some((key) => flat[key] !== undefined))
    return ['array'];
  if (['pattern', 'minLength', 'maxLength', 'format'].some((key) => flat[key] !== undefined))
    return ['string'];
  return ['minimum', 'maximum', 'multipleOf'].some((key) => flat[key] !== undefined) ? ['number'] : [];
}

/** The JSON type of a value; whole numbers are `integer`. */
export function jsonType(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The last step of a reference, which is what people call the definition. */
export function refName(schema: Schema): string | undefined {
  const ref = refOf(schema);
  if (ref === undefined) return undefined;
  const name = ref.split('/').at(-1)?.replace(/^#/u, '') ?? '';
  return name === '' ? 'the whole arguments' : name;
}

/** A value as JSON, cut where it is long. */
export function showValue(value: JsonValue): string {
  const text = JSON.stringify(value);
  const points = Array.from(text.slice(0, MAX_VALUE_CHARACTERS * 2));
  return points.length > MAX_VALUE_CHARACTERS ? `${points.slice(0, MAX_VALUE_CHARACTERS).join('')}…` : text;
}

/** The values of an enum as text, the first of them when there are many. */
export function showValues(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_VALUES_SHOWN).map(showValue).join(', ');
  const more = values.length - MAX_VALUES_SHOWN;
  return more > 0 ? `${shown} and ${more.toLocaleString('en')} more` : shown;
}

/** Every limit of a flat schema, each in words, in one fixed order. */
export function limitNotes(flat: JsonObject): string[] {
  return [...numberNotes(flat), ...sizeNotes(flat), ...textNotes(flat)];
}

function numberNotes(flat: JsonObject): string[] {
  const notes: string[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = flat;
  if (typeof minimum === 'number')
    notes.push(`${exclusiveMinimum === true ? 'more than' : 'at least'} ${minimum}`);
  if (typeof exclusiveMinimum === 'number') notes.push(`more than ${exclusiveMinimum}`);
  if (typeof maximum === 'number')
    notes.push(`${exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}`);
  if (typeof exclusiveMaximum === 'number') notes.push(`less than ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number') notes.push(`a multiple of ${multipleOf}`);
  return notes;
}

const SIZES: readonly (readonly [keyword: string, words: string, unit: string])[] = [
  ['minLength', 'at least', 'character'],
  ['maxLength', 'at most', 'character'],
  ['minItems', 'at least', 'item'],
  ['maxItems', 'at most', 'item'],
  ['minProperties', 'at least', 'member'],
  ['maxProperties', 'at most', 'member'],
];

function sizeNotes(flat: JsonObject): string[] {
  const notes = SIZES.flatMap(([keyword, words, unit]) => countNote(words, member(flat, keyword), unit));
  return flat['uniqueItems'] === true ? [...notes, 'no item twice'] : notes;
}

function countNote(words: string, count: JsonValue | undefined, unit: string): string[] {
  if (typeof count !== 'number') return [];
  return [`${words} ${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`];
}

function textNotes(flat: JsonObject): string[] {
  const notes: string[] = [];
  const { format, pattern, contentEncoding } = flat;
  if (typeof format === 'string') {
    const hint = formatNote(format)?.hint;
    notes.push(hint === undefined ? `format ${format}` : `format ${format} (${hint})`);
  }
  if (typeof contentEncoding === 'string') notes.push(`encoded as ${contentEncoding}`);
  if (typeof pattern === 'string') notes.push(`matching \`${pattern}\``);
  return notes;
}

/** What a value must be, complete enough to write one: type, allowed values, limits. */
export function expectation(schema: Schema, root: Schema): string {
  if (typeof schema === 'boolean') return typeLabel(schema, root);
  const flat = flattenSchema(schema, root);
  const values = flat['enum'];
  if (Array.isArray(values)) return `one of ${showValues(values as readonly JsonValue[])}`;
  const forms = unionForms(flat);
  if (forms.length > 0 && forms.length <= 8 && flat['type'] !== 'object') {
    return [...new Set(forms.map((form) => singleExpectation(form, root)))].join(' or ');
  }
  return singleExpectation(schema, root);
}

function singleExpectation(schema: Schema, root: Schema): string {
  if (!isJsonObject(schema)) return typeLabel(schema, root);
  const flat = flattenSchema(schema, root);
  const values = flat['enum'];
  if (Array.isArray(values)) return `one of ${showValues(values as readonly JsonValue[])}`;
  return [typeLabel(schema, root), ...limitNotes(flat)].join(', ');
}
