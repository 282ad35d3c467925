import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { pointerSteps } from './json-pointer.ts';

/** A JSON Schema: an object, or a boolean that allows everything or nothing. */
export type Schema = JsonObject | boolean;

const MAX_HOPS = 32;
const MAX_PARTS = 500;

/** True for what may stand where a schema belongs. */
export function isSchema(value: JsonValue | undefined): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value);
}

/** The schemas in a list keyword such as anyOf; whatever else stands there is passed over. */
export function schemaList(value: JsonValue | undefined): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** The schemas in a map keyword such as properties, in the order they were written. */
export function schemaMap(value: JsonValue | undefined): [string, Schema][] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, Schema] => isSchema(entry[1]));
}

/** The texts in a list keyword such as required; whatever else stands there is passed over. */
export function stringList(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** An own member: `constructor` is a member only when it was written. */
export function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value))
    return /^\d+$/u.test(key) ? (value as readonly JsonValue[])[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The value at a JSON pointer; undefined when there is none. */
export function valueAt(value: JsonValue, pointer: string): JsonValue | undefined {
  let here: JsonValue | undefined = value;
  for (const step of pointerSteps(pointer)) here = member(here, step);
  return here;
}

/** What a `$ref` (or `$dynamicRef`) inside `root` points at; undefined when that is not in this document. */
export function resolveRef(root: Schema, ref: string): Schema | undefined {
  const rootId = isJsonObject(root) && typeof root['$id'] === 'string' ? root['$id'].replace(/#$/u, '') : '';
  const local = rootId !== '' && ref.startsWith(rootId) ? ref.slice(rootId.length) || '#' : ref;
  if (!local.startsWith('#')) return undefined;
  const fragment = decodeFragment(local.slice(1));
  if (fragment === undefined) return undefined;
  if (fragment !== '' && !fragment.startsWith('/')) return findAnchor(root, fragment);
  const target = valueAt(root, fragment);
  return isSchema(target) ? target : undefined;
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function findAnchor(root: Schema, anchor: string): Schema | undefined {
  const queue: JsonValue[] = [root];
  for (let index = 0; index < queue.length && index < 20_000; index += 1) {
    const node = queue[index];
    if (isJsonObject(node)) {
      if (node['$anchor'] === anchor || node['$dynamicAnchor'] === anchor) return node;
      for (const value of Object.values(node)) queue.push(value);
    } else if (Array.isArray(node)) for (const value of node as readonly JsonValue[]) queue.push(value);
  }
  return undefined;
}

/** The text of a schema's `$ref` or `$dynamicRef`. A property *called* `$ref` is not one: its value is a schema. */
export function refOf(schema: Schema): string | undefined {
  if (!isJsonObject(schema)) return undefined;
  const ref = schema['$ref'] ?? schema['$dynamicRef'] ?? schema['$recursiveRef'];
  return typeof ref === 'string' ? ref : undefined;
}

/**
 * A schema as one flat object: references followed and `allOf` merged in, so that readers need to look in one
 * place. Bounds take the stricter side; what two parts both say in other ways stays under `allOf`. References that
 * lead back to themselves end there. Remembered per root, since schemas do not change.
 */
export function flattenSchema(schema: Schema, root: Schema): JsonObject {
  if (typeof schema === 'boolean' || typeof root === 'boolean') return flatten(schema, newTrail(root));
  const known = flattened.get(root) ?? new WeakMap<JsonObject, JsonObject>();
  flattened.set(root, known);
  const flat = known.get(schema) ?? flatten(schema, newTrail(root));
  known.set(schema, flat);
  return flat;
}

const flattened = new WeakMap<JsonObject, WeakMap<JsonObject, JsonObject>>();

function newTrail(root: Schema): Trail {
  return { root, seen: new Set(), budget: { parts: MAX_PARTS } };
}

interface Trail {
  readonly root: Schema;
  readonly seen: ReadonlySet<Schema>;
  /** Parts left to look at; references can double at every step. */
  readonly budget: { parts: number };
}

function flatten(schema: Schema, trail: Trail): JsonObject {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (trail.seen.has(schema) || trail.seen.size > MAX_HOPS || trail.budget.parts <= 0) return {};
  trail.budget.parts -= 1;
  const inner = { ...trail, seen: new Set([...trail.seen, schema]) };
  const { $ref: _ref, $dynamicRef: _dynamic, $recursiveRef: _recursive, allOf, ...own } = schema;
  const ref = refOf(schema);
  const target = ref === undefined ? undefined : resolveRef(trail.root, ref);
  const parts = [...(target === undefined ? [] : [target]), ...schemaList(allOf)];
  return parts.reduce<JsonObject>((merged, part) => mergeSchemas(merged, flatten(part, inner)), own);
}

const STRICTER: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
};

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', '$comment']);

function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...a };
  const left: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(b)) {
    const before = member(a, key);
    const stricter = Object.hasOwn(STRICTER, key) ? STRICTER[key] : undefined;
    if (before === undefined) merged[key] = value;
    else if (key === 'properties') merged[key] = mergeProperties(before, value);
    else if (key === 'required') merged[key] = [...new Set([...stringList(before), ...stringList(value)])];
    else if (stricter !== undefined && typeof before === 'number' && typeof value === 'number')
      merged[key] = stricter(before, value);
    else if (!ANNOTATIONS.has(key) && JSON.stringify(before) !== JSON.stringify(value)) left[key] = value;
  }
  if (Object.keys(left).length > 0) merged['allOf'] = [...schemaList(merged['allOf']), left];
  return merged;
}

function mergeProperties(a: JsonValue, b: JsonValue): JsonObject {
  const merged = new Map(schemaMap(a));
  for (const [name, schema] of schemaMap(b)) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? schema : { allOf: [before, schema] });
  }
  return Object.fromEntries(merged);
}
