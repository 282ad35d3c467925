import { isJsonObject, type JsonValue } from '../core/json.ts';
import { childPointer } from './json-pointer.ts';
import { valueAt, type Schema } from './read-schema.ts';
import { satisfies } from './satisfies.ts';
import { isFree, memberOf, membersAt } from './schemas-at.ts';
import type { Telling } from './sentence.ts';

/** The pointer of the object or array that a value stands in; of '' it is '' itself. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/**
 * Where a member that its object does not name belongs: in an object beside it, or in one around it, where the name
 * is known, free, and described so that the value fits. Undefined when there is no such place.
 */
export function placeFor(name: string, pointer: string, telling: Telling): string | undefined {
  const object = valueAt(telling.args, pointer);
  const value = isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined) return undefined;
  return placeInside(name, pointer, { value, telling }) ?? placeAround(name, pointer, { value, telling });
}

interface Moving {
  readonly value: JsonValue;
  readonly telling: Telling;
}

function placeInside(name: string, pointer: string, { value, telling }: Moving): string | undefined {
  for (const [sibling, schema] of membersAt(telling.root, pointer)) {
    const target = childPointer(pointer, sibling);
    const there = valueAt(telling.args, target);
    if (there !== undefined && !isFree(there, name)) continue;
    if (fits(value, memberOf(schema, name, telling.root), telling.root)) return childPointer(target, name);
  }
  return undefined;
}

function placeAround(name: string, pointer: string, { value, telling }: Moving): string | undefined {
  for (let outer = pointer; outer !== '';) {
    outer = parentPointer(outer);
    const isHere = isFree(valueAt(telling.args, outer), name);
    if (isHere && fits(value, membersAt(telling.root, outer).get(name), telling.root))
      return childPointer(outer, name);
  }
  return undefined;
}

function fits(value: JsonValue, schema: Schema | undefined, root: Schema): boolean {
  return schema !== undefined && satisfies(value, schema, root);
}

/**
 * Where a missing member stands by mistake: under its own name, in an object beside or around its place that does
 * not name it, with a value that fits.
 */
export function findStray(name: string, pointer: string, telling: Telling): string | undefined {
  const known = membersAt(telling.root, pointer);
  const schema = known.get(name);
  const object = valueAt(telling.args, pointer);
  const beside = isJsonObject(object)
    ? Object.keys(object).filter((key) =>
        isStrayIn(object[key], name, memberOf(known.get(key) ?? true, name, telling.root)),
      )
    : [];
  const outside = around(pointer).filter((place) =>
    isStrayIn(valueAt(telling.args, place), name, membersAt(telling.root, place).get(name)),
  );
  return [...beside.map((key) => childPointer(pointer, key)), ...outside].find((place) => {
    const there = valueAt(telling.args, place);
    return isJsonObject(there) && fits(there[name] ?? null, schema, telling.root);
  });
}

function around(pointer: string): string[] {
  return pointer === '' ? [] : [parentPointer(pointer), ...around(parentPointer(pointer))];
}

function isStrayIn(object: JsonValue | undefined, name: string, known: Schema | undefined): boolean {
  return isJsonObject(object) && Object.hasOwn(object, name) && known === undefined;
}
