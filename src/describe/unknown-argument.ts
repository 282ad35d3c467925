import { isJsonObject, type JsonObject } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import type { Told } from './choose-form.ts';
import { showValues } from './describe-shape.ts';
import { childPointer } from './json-pointer.ts';
import { flattenSchema, member, schemaMap, valueAt, type Schema } from './read-schema.ts';
import type { Sentence, Telling } from './sentence.ts';

/** The words for a name that the schema does not know: what to do with it, and which names there are. */
export function unknownArgument(name: string, told: Told, telling: Telling): Sentence {
  const { pointer } = told.complaint;
  const path = childPointer(pointer, name);
  const object = valueAt(telling.args, pointer);
  const known = knownNames(told, telling.root);
  const free = known.filter((one) => !isJsonObject(object) || !Object.hasOwn(object, one));
  const what = `Unknown argument ${quote(name)}.`;
  const nearest = told.renameTo ?? nearestNames(name, free, 1)[0];
  if (nearest !== undefined)
    return { path, message: `${what} Rename it to ${JSON.stringify(nearest)}.${list(known)}` };
  const elsewhere = placeFor(name, told, telling);
  if (elsewhere !== undefined)
    return { path, message: `${what} Move it to ${elsewhere}.${list(known)}`, mends: [elsewhere] };
  const value = isJsonObject(object) ? member(object, name) : undefined;
  if (!isJsonObject(value) || !isWrapper(value, known))
    return { path, message: `${what} Remove it.${list(known)}` };
  const mends = Object.keys(value).map((key) => childPointer(pointer, key));
  return { path, message: `${what} Move its members one level up.${list(known)}`, mends };
}

function isWrapper(value: JsonObject, known: readonly string[]): boolean {
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => known.includes(name));
}

/** An object that takes any name, with a required one missing and another that is nearly it. */
export function misnamedArgument(
  sent: string,
  wanted: string,
  at: { told: Told; telling: Telling },
): Sentence {
  const known = knownNames(at.told, at.telling.root);
  return {
    path: childPointer(at.told.complaint.pointer, sent),
    message: `Unknown argument ${quote(sent)}; the required ${quote(wanted)} is missing. Rename it to ${JSON.stringify(wanted)}.${list(known)}`,
  };
}

function list(known: readonly string[]): string {
  return known.length === 0 ? ' No arguments are known here.' : ` Known here: ${showValues(known)}.`;
}

/** The names that are known at the place of a complaint. */
export function knownNames(told: Told, root: Schema): string[] {
  const places = [told.complaint.schema, ...told.complaint.around];
  return [
    ...new Set(
      places.flatMap((place) => schemaMap(flattenSchema(place, root)['properties']).map(([name]) => name)),
    ),
  ];
}

/** Where an argument of this name is known: in an object beside it, or in the object around it. */
function placeFor(name: string, told: Told, telling: Telling): string | undefined {
  const { pointer, schema, around } = told.complaint;
  for (const place of [schema, ...around]) {
    for (const [sibling, inner] of schemaMap(flattenSchema(place, telling.root)['properties'])) {
      const target = childPointer(pointer, sibling);
      const there = valueAt(telling.args, target);
      const isFree = there === undefined || (isJsonObject(there) && !Object.hasOwn(there, name));
      if (isFree && member(flattenSchema(inner, telling.root)['properties'], name) !== undefined)
        return childPointer(target, name);
    }
  }
  const parent = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
  const outer = valueAt(telling.args, parent);
  const knownOutside =
    pointer !== '' &&
    parent === '' &&
    member(flattenSchema(telling.root, telling.root)['properties'], name) !== undefined;
  return knownOutside && isJsonObject(outer) && !Object.hasOwn(outer, name)
    ? childPointer(parent, name)
    : undefined;
}
