import { isJsonObject } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import type { Told } from './choose-form.ts';
import { expectation, showValues } from './describe-shape.ts';
import { placeFor } from './find-place.ts';
import { childPointer } from './json-pointer.ts';
import { flattenSchema, isSchema, schemaMap, valueAt, type Schema } from './read-schema.ts';
import { satisfies } from './satisfies.ts';
import { schemasAt } from './schemas-at.ts';
import type { Sentence, Telling } from './sentence.ts';

/** Names that a wrong one is compared with; each comparison costs about a microsecond. */
export const MAX_COMPARED = 500;

/** The words for a name that the schema does not know: what to do with it, and which names there are. */
export function unknownArgument(name: string, told: Told, telling: Telling): Sentence {
  const { pointer } = told.complaint;
  const object = valueAt(telling.args, pointer);
  const known = knownNames(told, telling.root);
  const free = known
    .filter((one) => !isJsonObject(object) || !Object.hasOwn(object, one))
    .slice(0, MAX_COMPARED);
  const nearest = told.renameTo ?? nearestNames(name, free, 1)[0];
  const path = childPointer(pointer, name);
  const what = `Unknown argument ${quote(name)}.`;
  const after = list(known, told);
  if (nearest !== undefined) {
    const mends = [childPointer(pointer, nearest)];
    return { path, message: `${what} Rename it to ${JSON.stringify(nearest)}.${after}`, mends };
  }
  const stray = strayRemedy(name, pointer, telling) ?? { hint: ' Remove it.', mends: [] };
  return { path, message: `${what}${stray.hint}${after}`, mends: stray.mends };
}

/** What to do with a member that is wrong where it stands and right elsewhere; undefined when it is right nowhere. */
function strayRemedy(
  name: string,
  pointer: string,
  telling: Telling,
): { hint: string; mends: string[] } | undefined {
  const elsewhere = placeFor(name, pointer, telling);
  if (elsewhere !== undefined) return { hint: ` Move it to ${elsewhere}.`, mends: [elsewhere] };
  const object = valueAt(telling.args, pointer);
  const value = isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  if (!isJsonObject(value) || Object.keys(value).length === 0) return undefined;
  const known = new Set(
    schemasAt(telling.root, pointer).flatMap((schema) => schemaMap(schema['properties']).map(([one]) => one)),
  );
  const { [name]: _wrapper, ...rest } = isJsonObject(object) ? object : {};
  const isWhole = schemasAt(telling.root, pointer).some((schema) =>
    satisfies({ ...rest, ...value }, schema, telling.root),
  );
  if (!isWhole && !Object.keys(value).every((key) => known.has(key))) return undefined;
  return {
    hint: ' Move its members one level up.',
    mends: Object.keys(value).map((key) => childPointer(pointer, key)),
  };
}

/** A name that the schema's own rule for names refuses. */
export function refusedName(name: string, told: Told, telling: Telling): Sentence {
  const { pointer, schema } = told.complaint;
  const rule = schema['propertyNames'];
  const expected = isSchema(rule) ? `a name that is ${expectation(rule, telling.root)}` : 'another name';
  const stray = strayRemedy(name, pointer, telling) ?? { hint: ' Remove it.', mends: [] };
  const path = childPointer(pointer, name);
  return {
    path,
    expected,
    message: `The name ${quote(name)} is not allowed. Expected ${expected}.${stray.hint}`,
    mends: [path, ...stray.mends],
  };
}

/** An object that takes any name, with a required one missing and another that is nearly it. */
export function misnamedArgument(
  sent: string,
  wanted: string,
  at: { told: Told; telling: Telling },
): Sentence {
  const { pointer } = at.told.complaint;
  const after = list(knownNames(at.told, at.telling.root), at.told);
  return {
    path: childPointer(pointer, sent),
    message: `Unknown argument ${quote(sent)}; the required ${quote(wanted)} is missing. Rename it to ${JSON.stringify(wanted)}.${after}`,
    mends: [childPointer(pointer, wanted)],
  };
}

function list(known: readonly string[], told: Told): string {
  const patterns = schemaMap(told.complaint.schema['patternProperties']).map(
    ([pattern]) => `any name matching \`${pattern}\``,
  );
  const parts = [...(known.length === 0 ? [] : [showValues(known)]), ...patterns];
  return parts.length === 0 ? ' No arguments are known here.' : ` Known here: ${parts.join(', ')}.`;
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
