import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { isSchemaList, isSchemaMap, isSingleSchema } from './schema-positions.ts';

/** A JSON Schema as components of an OpenAPI document. */
export interface EmbeddedSchema {
  /** The component that is the root. */
  readonly rootKey: string;
  readonly components: Readonly<Record<string, JsonValue>>;
}

type Tokens = readonly string[];

/** What references in a schema can lead to, all as places (tokens of a JSON pointer) in it. */
interface Places {
  /** `$id` as written. */
  readonly ids: Map<string, Tokens>;
  /** `<place of the resource> <anchor>`. */
  readonly anchors: Map<string, Tokens>;
}

const DEFINITIONS = ['$defs', 'definitions'] as const;
const IDENTIFYING = new Set([
  '$id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
]);
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);

/**
 * A tool's input schema made fit to stand inside a larger document: its root and each of its definitions become
 * components, and every reference is turned to the place it meant. What a reference is follows from where it stands: a
 * property that is called `$ref`, or one in a `const` or `enum`, is left alone.
 */
export function embedSchema(schema: JsonObject, rootKey: string): EmbeddedSchema {
  const places: Places = { ids: new Map(), anchors: new Map() };
  collectPlaces(schema, { at: [], base: [] }, places);
  const keys = nameDefinitions(schema, rootKey);
  const move = (node: JsonValue, at: Tokens, base: Tokens): JsonValue =>
    rewrite(node, { at, base }, { places, keys, rootKey });
  const root = Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => !(DEFINITIONS.includes(key as '$defs') && isJsonObject(value)),
    ),
  );
  const components: Record<string, JsonValue> = { [rootKey]: move(root, [], []) };
  for (const keyword of DEFINITIONS) {
    const definitions = schema[keyword];
    if (!isJsonObject(definitions)) continue;
    for (const [name, definition] of Object.entries(definitions)) {
      const key = keys.get(`${keyword}/${name}`);
      if (key !== undefined) components[key] = move(definition, [keyword, name], []);
    }
  }
  return { rootKey, components };
}

/** Component names may hold letters, digits, dots, dashes and underscores only. */
function nameDefinitions(schema: JsonObject, rootKey: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string>();
  for (const keyword of DEFINITIONS) {
    const definitions = schema[keyword];
    for (const name of Object.keys(isJsonObject(definitions) ? definitions : {})) {
      const plain = `${rootKey}.${name.replaceAll(/[^A-Za-z0-9._-]/gu, '_')}`;
      let key = plain;
      for (let count = 2; taken.has(key); count += 1) key = `${plain}_${count}`;
      taken.add(key);
      keys.set(`${keyword}/${name}`, key);
    }
  }
  return keys;
}

interface Position {
  readonly at: Tokens;
  /** Where the resource starts that a fragment is looked up in: the nearest `$id` above. */
  readonly base: Tokens;
}

function enter(node: JsonObject, { at, base }: Position): Position {
  return { at, base: typeof node['$id'] === 'string' ? at : base };
}

function collectPlaces(node: JsonValue, position: Position, places: Places): void {
  if (!isJsonObject(node)) return;
  const here = enter(node, position);
  if (typeof node['$id'] === 'string') places.ids.set(node['$id'].replace(/#$/u, ''), here.at);
  for (const keyword of ['$anchor', '$dynamicAnchor']) {
    const anchor = node[keyword];
    if (typeof anchor === 'string') places.anchors.set(anchorKey(here.base, anchor), here.at);
  }
  for (const [key, value] of Object.entries(node)) {
    mapSubschemas(key, value, (child, path) => {
      collectPlaces(child, { at: [...here.at, ...path], base: here.base }, places);
      return child;
    });
  }
}

interface Target {
  readonly places: Places;
  readonly keys: ReadonlyMap<string, string>;
  readonly rootKey: string;
}

function rewrite(node: JsonValue, position: Position, target: Target): JsonValue {
  if (!isJsonObject(node)) return node;
  const here = enter(node, position);
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(node)) {
    if (IDENTIFYING.has(key)) continue;
    if (REFERENCES.has(key) && typeof value === 'string') {
      const place = findPlace(value, here.base, target.places);
      if (place !== undefined) result['$ref'] = toReference(place, target);
    } else {
      result[key] = mapSubschemas(key, value, (child, path) =>
        rewrite(child, { at: [...here.at, ...path], base: here.base }, target),
      );
    }
  }
  return result;
}

/** Calls `map` for each subschema directly under a keyword; values that are no schema come back as they are. */
function mapSubschemas(
  key: string,
  value: JsonValue,
  map: (child: JsonValue, path: Tokens) => JsonValue,
): JsonValue {
  if (Array.isArray(value) && isSchemaList(key)) {
    return value.map((child: JsonValue, index) => map(child, [key, String(index)]));
  }
  if (!isJsonObject(value)) return value;
  if (isSingleSchema(key)) return map(value, [key]);
  if (!isSchemaMap(key)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, map(child, [key, name])]));
}

function findPlace(reference: string, base: Tokens, { ids, anchors }: Places): Tokens | undefined {
  const [uri = '', fragment = ''] = reference.split('#', 2);
  const resource = uri === '' ? base : ids.get(uri);
  const text = decodeFragment(fragment);
  if (resource === undefined || text === undefined) return undefined;
  if (text === '') return resource;
  if (!text.startsWith('/')) return anchors.get(anchorKey(resource, text));
  const tokens = text.slice(1).split('/');
  return [...resource, ...tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))];
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function anchorKey(base: Tokens, anchor: string): string {
  return JSON.stringify([base, anchor]);
}

function toReference(place: Tokens, { keys, rootKey }: Target): string {
  const definition = keys.get(place.slice(0, 2).join('/'));
  const tokens = definition === undefined ? [rootKey, ...place] : [definition, ...place.slice(2)];
  const escaped = tokens.map((token) =>
    encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return `#/components/schemas/${escaped.join('/')}`;
}
