import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';

/** What a place in the arguments can be, as far as a template needs to know. */
export type SchemaKind = 'list' | 'object' | 'scalar' | 'unknown';

/** A schema together with the root that its `$ref`s point into. */
export interface SchemaNode {
  readonly root: JsonObject;
  readonly schema: JsonObject;
}

const MAX_REF_HOPS = 32;

export function rootNode(root: JsonObject): SchemaNode {
  return { root, schema: root };
}

export function kindOf(node: SchemaNode): SchemaKind {
  const { schema } = deref(node);
  const written = schema['type'];
  const types = (Array.isArray(written) ? written : [written]).filter(
    (type) => type !== 'null' && type !== undefined,
  );
  if (types.length > 1)
    return types.some((type) => type === 'array' || type === 'object') ? 'unknown' : 'scalar';
  if (types[0] === 'array' || (types.length === 0 && schema['items'] !== undefined)) return 'list';
  if (types[0] === 'object' || (types.length === 0 && schema['properties'] !== undefined)) return 'object';
  if (types[0] !== undefined || Array.isArray(schema['enum']) || 'const' in schema) return 'scalar';
  return kindOfBranches(deref(node));
}

/** The declared property, also where `allOf`, `anyOf` or `oneOf` declares it. */
export function propertyOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const own = deref(node);
  const found = ownPropertyOf(own, name);
  if (found !== undefined) return found;
  for (const branch of branchesOf(own)) {
    const inherited = ownPropertyOf(branch, name);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

function ownPropertyOf({ root, schema }: SchemaNode, name: string): SchemaNode | undefined {
  const properties = schema['properties'];
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  return { root, schema: asSchema(properties[name]) };
}

export function propertyNamesOf(node: SchemaNode): string[] {
  const names = [deref(node), ...branchesOf(deref(node))].flatMap(({ schema }) =>
    isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [],
  );
  return [...new Set(names)].toSorted();
}

export function itemOf(node: SchemaNode): SchemaNode {
  const { root, schema } = deref(node);
  return { root, schema: asSchema(schema['items']) };
}

function kindOfBranches(node: SchemaNode): SchemaKind {
  const kinds = new Set(
    branchesOf(node)
      .map(kindOf)
      .filter((kind) => kind !== 'unknown'),
  );
  const [only] = kinds;
  return kinds.size === 1 && only !== undefined ? only : 'unknown';
}

function branchesOf({ root, schema }: SchemaNode): SchemaNode[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const branches = schema[keyword];
    return Array.isArray(branches) ? branches.map((branch) => deref({ root, schema: asSchema(branch) })) : [];
  });
}

/** Follows local `$ref`s (`#/$defs/x`). Others, and circles, end at a schema that says nothing. */
function deref(node: SchemaNode): SchemaNode {
  if (typeof node.schema['$ref'] !== 'string') return node;
  let { schema } = node;
  for (let hop = 0; typeof schema['$ref'] === 'string'; hop += 1) {
    if (hop === MAX_REF_HOPS) return { root: node.root, schema: {} };
    schema = asSchema(resolvePointer(node.root, schema['$ref']));
  }
  return { root: node.root, schema };
}

function resolvePointer(root: JsonObject, pointer: string): JsonValue | undefined {
  if (pointer !== '#' && !pointer.startsWith('#/')) return undefined;
  let found: JsonValue | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

function asSchema(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
