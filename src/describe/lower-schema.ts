import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { childPointer } from './json-pointer.ts';
import { lowerRoot } from './lower-root.ts';
import { note, type ExportNote, type Lowering, type SchemaRules } from './lowering.ts';
import {
  isSchema,
  refOf,
  resolveRef,
  schemaList,
  schemaMap,
  stringList,
  type Schema,
} from './read-schema.ts';

export interface LoweredSchema {
  readonly schema: JsonObject;
  readonly notes: readonly ExportNote[];
  /** What the schema can no longer say, as a sentence for the description; empty when there is nothing. */
  readonly hint: string;
  /** Why no call could be written against the result; absent when one can. */
  readonly impossible?: string;
}

const MAX_DEPTH = 64;
const MAX_NOTES = 50;

/**
 * A schema as an API can take it. Whatever the original allows, the result allows, but for arguments that one form of
 * a union at the root leaves open and another describes: they are described. Never throws.
 */
export function lowerSchema(source: JsonObject, rules: SchemaRules, tool: string): LoweredSchema {
  const first = lowerOnce({ root: source, rules, tool, notes: [], hoisted: new Map(), isLoose: false });
  const isLossy =
    first.notes.some((one) => one.path !== '') || (first.notes.length > 0 && refersToRoot(source));
  return isLossy
    ? lowerOnce({ root: source, rules, tool, notes: [], hoisted: new Map(), isLoose: true })
    : first;
}

function refersToRoot(source: JsonObject): boolean {
  return JSON.stringify(source).includes('ef":"#"');
}

function lowerOnce(lowering: Lowering): LoweredSchema {
  const { flat, hint, impossible } = lowerRoot(lowering.root, lowering);
  const lowered = lowerObject(flat, { path: '', depth: 0 }, lowering);
  const definitions: Record<string, JsonValue> = {};
  for (const [schema, name] of lowering.hoisted) {
    definitions[name] = lower(schema, { path: `/$defs/${name}`, depth: 1 }, lowering);
  }
  const own = isJsonObject(lowered['$defs']) ? lowered['$defs'] : {};
  const schema =
    Object.keys(definitions).length === 0 ? lowered : { ...lowered, $defs: { ...own, ...definitions } };
  const notes = lowering.notes.slice(0, MAX_NOTES);
  return { schema, notes, hint, ...(impossible === undefined ? {} : { impossible }) };
}

interface Spot {
  readonly path: string;
  readonly depth: number;
}

const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const SINGLES = new Set(
  'items additionalProperties not if then else contains propertyNames unevaluatedProperties unevaluatedItems contentSchema'.split(
    ' ',
  ),
);
/** Say nothing about arguments, or are said in another way here. */
const SILENT = new Set(
  '$schema $id $anchor $dynamicAnchor $recursiveAnchor $vocabulary nullable dependencies additionalItems $dynamicRef $recursiveRef'.split(
    ' ',
  ),
);

function lower(schema: Schema, spot: Spot, lowering: Lowering): Schema {
  if (typeof schema === 'boolean') return schema;
  if (spot.depth <= MAX_DEPTH) return lowerObject(schema, spot, lowering);
  note(lowering, spot.path, {
    change: 'dropped',
    keyword: '',
    message: `Everything below ${MAX_DEPTH} levels is left open.`,
  });
  return {};
}

function lowerObject(schema: JsonObject, spot: Spot, lowering: Lowering): JsonObject {
  const modern = lowering.isLoose ? withoutExclusions(modernise(schema), spot, lowering) : modernise(schema);
  const entries = Object.entries(modern)
    .filter(([keyword]) => !SILENT.has(keyword))
    .map(([keyword, value]): [string, JsonValue] => [
      keyword,
      lowerKeyword(keyword, value, { spot, lowering }),
    ]);
  const whole = Object.fromEntries(entries);
  const ref = refOf(schema);
  const referred = ref === undefined ? whole : { ...whole, $ref: lowerRef(ref, spot, lowering) };
  return lowering.rules.lists === 'items' ? plainLists(referred, spot, lowering) : referred;
}

function lowerKeyword(keyword: string, value: JsonValue, at: { spot: Spot; lowering: Lowering }): JsonValue {
  const { spot, lowering } = at;
  const path = childPointer(spot.path, keyword);
  const inner = (part: Schema, key?: string | number): Schema =>
    lower(
      part,
      { path: key === undefined ? path : childPointer(path, key), depth: spot.depth + 1 },
      lowering,
    );
  if (MAPS.has(keyword))
    return Object.fromEntries(schemaMap(value).map(([name, part]) => [name, inner(part, name)]));
  if (LISTS.has(keyword)) return schemaList(value).map((part, index) => inner(part, index));
  return SINGLES.has(keyword) && isSchema(value) ? inner(value) : value;
}

const EXCLUSIONS = [
  'not',
  'if',
  'then',
  'else',
  'maxContains',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;

/**
 * Where one part had to be loosened, what counts or excludes matches would come out tighter: `oneOf` becomes
 * `anyOf`, and `not` and conditions go.
 */
function withoutExclusions(schema: JsonObject, spot: Spot, lowering: Lowering): JsonObject {
  const left: Record<string, JsonValue> = { ...schema };
  for (const keyword of EXCLUSIONS) {
    if (left[keyword] === undefined) continue;
    delete left[keyword];
    note(lowering, spot.path, {
      change: 'dropped',
      keyword,
      message: `${keyword} is left out, since a part of the schema is loosened.`,
    });
  }
  const { oneOf } = left;
  if (oneOf === undefined) return left;
  delete left['oneOf'];
  note(lowering, spot.path, {
    change: 'rewritten',
    keyword: 'oneOf',
    message: 'One form or more may fit, since a part of the schema is loosened.',
  });
  return left['anyOf'] === undefined
    ? { ...left, anyOf: oneOf }
    : { ...left, allOf: [...schemaList(left['allOf']), { anyOf: oneOf }] };
}

/** Older dialects in the words of 2020-12, which both APIs read. Loses nothing. */
function modernise(schema: JsonObject): JsonObject {
  const modern: Record<string, JsonValue> = { ...schema };
  const { type, items, additionalItems, dependencies } = schema;
  if (schema['nullable'] === true && typeof type === 'string') {
    modern['type'] = [type, 'null'];
    if (Array.isArray(schema['enum']) && !(schema['enum'] as readonly JsonValue[]).includes(null))
      delete modern['type'];
  }
  if (Array.isArray(items)) {
    modern['prefixItems'] = items;
    delete modern['items'];
    if (additionalItems !== undefined) modern['items'] = additionalItems;
  }
  if (isJsonObject(dependencies)) {
    const pairs = Object.entries(dependencies);
    modern['dependentRequired'] = Object.fromEntries(pairs.filter(([, needs]) => Array.isArray(needs)));
    modern['dependentSchemas'] = Object.fromEntries(pairs.filter(([, needs]) => isSchema(needs)));
  }
  return modern;
}

/** A reference that the export can keep: to the whole, or to a definition; others are given one. */
function lowerRef(ref: string, spot: Spot, lowering: Lowering): string {
  if (ref === '#' || /^#\/(?:\$defs|definitions)\/[^/%]+$/u.test(ref)) return ref;
  const target = resolveRef(lowering.root, ref);
  if (target === undefined) {
    note(lowering, spot.path, {
      change: 'dropped',
      keyword: '$ref',
      message: 'The reference leads nowhere in this schema.',
    });
    return hoist(true, lowering);
  }
  return target === lowering.root ? '#' : hoist(target, lowering);
}

function hoist(target: Schema, lowering: Lowering): string {
  const taken = new Set(schemaMap(lowering.root['$defs']).map(([name]) => name));
  let name = lowering.hoisted.get(target);
  for (let number = lowering.hoisted.size + 1; name === undefined; number += 1) {
    if (!taken.has(`part_${number}`)) name = `part_${number}`;
  }
  lowering.hoisted.set(target, name);
  return `#/$defs/${name}`;
}

/** Arrays in the one way that every reader of `items` knows: each must say what it holds, and none by place. */
function plainLists(schema: JsonObject, spot: Spot, lowering: Lowering): JsonObject {
  const { prefixItems, ...rest } = schema;
  const places = schemaList(prefixItems);
  if (places.length === 0) {
    const isList = schema['type'] === 'array' || stringList(schema['type']).includes('array');
    return isList && schema['items'] === undefined ? { ...rest, items: {} } : rest;
  }
  note(lowering, spot.path, {
    change: 'rewritten',
    keyword: 'prefixItems',
    message: 'Each item may be any of the listed ones; their order is left open.',
  });
  const further = rest['items'];
  if (further === undefined || further === true) return { ...rest, items: {} };
  if (further !== false) return { ...rest, items: { anyOf: [...places, further] } };
  const limit =
    typeof rest['maxItems'] === 'number' ? Math.min(rest['maxItems'], places.length) : places.length;
  return { ...rest, items: { anyOf: places }, maxItems: limit };
}
