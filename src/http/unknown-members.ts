import { isJsonObject } from '../core/json.ts';

/** A member that the schema does not name, where objects are closed. */
export interface UnknownMember {
  /** Of the object that it stands in: JSON pointer. */
  readonly at: string;
  readonly name: string;
  readonly known: readonly string[];
}

export interface MemberSplit {
  /** The first 20. */
  readonly unknown: UnknownMember[];
  /** Of all of them. */
  unknownCount: number;
}

/** What of a schema is asked about here. */
export type SchemaNode = Record<string, unknown>;

const MAX_LISTED = 20;

/**
 * The value without the members that its schema does not know; those go to `split`. In one pass of our own, for a
 * validator's list of errors is short and costs the more the more members there are.
 */
export function withoutUnknown(
  { schema, value, at }: { schema: SchemaNode; value: unknown; at: string },
  split: MemberSplit,
): unknown {
  const node = branchFor(schema, value).schema;
  const { items } = node;
  if (Array.isArray(value) && isJsonObject(items)) {
    return value.map((item, index) =>
      withoutUnknown({ schema: items, value: item, at: `${at}/${index}` }, split),
    );
  }
  if (!isJsonObject(value) || !isJsonObject(node['properties'])) return value;
  const { properties } = node;
  const names = Object.keys(value).filter((name) => {
    if (node['additionalProperties'] !== false || Object.hasOwn(properties, name)) return true;
    split.unknownCount += 1;
    if (split.unknown.length < MAX_LISTED) split.unknown.push({ at, name, known: Object.keys(properties) });
    return false;
  });
  return Object.fromEntries(
    names.map((name) => {
      const inner = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const kept = isJsonObject(inner)
        ? withoutUnknown({ schema: inner, value: value[name], at: `${at}/${name}` }, split)
        : value[name];
      return [name, kept];
    }),
  );
}

/** Of alternatives the one that knows most of the value's members; the first where several do. */
export function branchFor(schema: SchemaNode, value: unknown): { schema: SchemaNode; path: string } {
  const branches = schema['anyOf'];
  if (!Array.isArray(branches)) return { schema, path: '' };
  const names = isJsonObject(value) ? Object.keys(value) : [];
  let best = { schema, path: '', score: -1 };
  for (const [index, branch] of (branches as readonly unknown[]).entries()) {
    if (!isJsonObject(branch)) continue;
    const { properties } = branch;
    const score = isJsonObject(properties)
      ? names.filter((name) => Object.hasOwn(properties, name)).length
      : 0;
    if (score > best.score) best = { schema: branch, path: `/anyOf/${index}`, score };
  }
  return best;
}
