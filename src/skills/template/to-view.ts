import { isJsonObject, type JsonValue } from '../../core/json.ts';
import { itemOf, kindOf, propertyNamesOf, propertyOf, type SchemaNode } from './schema-scope.ts';

/** `has_actions` is true in a template when the list `actions` has entries, so that a heading can depend on it. */
export const LIST_FLAG_PREFIX = 'has_';

/** What Mustache sees: texts, flags, lists and prototype-less objects. */
export type View = string | boolean | null | readonly View[] | { readonly [name: string]: View };

/**
 * Arguments as a template sees them: exactly the declared members, each present. An absent one is null, so that it
 * hides one of the same name further out. Numbers are texts, so that 0 counts as there.
 */
export function toView(value: JsonValue | undefined, node: SchemaNode): View {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((item) => toView(item, itemOf(node)) ?? '');
  return isJsonObject(value) ? toObjectView(value, node) : null;
}

function toObjectView(value: { readonly [key: string]: JsonValue }, node: SchemaNode): View {
  const view: Record<string, View> = Object.create(null) as Record<string, View>;
  for (const { name, member, flag } of membersOf(node)) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    view[name] = toView(own, member);
    if (flag !== undefined) view[flag] = Array.isArray(own) && own.length > 0;
  }
  return view;
}

interface Member {
  readonly name: string;
  readonly member: SchemaNode;
  /** The name of the flag that stands for "has entries"; only for a list, and only if the schema has no such name. */
  readonly flag: string | undefined;
}

/** A list of many entries asks for the same schema again and again. */
const members = new WeakMap<object, readonly Member[]>();

function membersOf(node: SchemaNode): readonly Member[] {
  const ready = members.get(node.schema);
  if (ready !== undefined) return ready;
  const made = propertyNamesOf(node).map((name) => {
    const member = propertyOf(node, name) ?? node;
    const flag = `${LIST_FLAG_PREFIX}${name}`;
    const isFree = kindOf(member) === 'list' && propertyOf(node, flag) === undefined;
    return { name, member, flag: isFree ? flag : undefined };
  });
  members.set(node.schema, made);
  return made;
}

/** One kind of line break, and no control characters besides it and the tab. */
function cleanText(text: string): string {
  return text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '');
}
