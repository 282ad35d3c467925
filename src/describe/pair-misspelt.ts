import { isJsonObject } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { textParam } from './attribute-faults.ts';
import type { Told } from './choose-form.ts';

import { valueAt } from './read-schema.ts';
import type { Telling } from './sentence.ts';
import { knownNames, MAX_COMPARED } from './unknown-argument.ts';

/**
 * A required argument that was misspelt is one thing wrong, though a validator reports two: a name that is
 * missing and a name that is unknown. Where the two are alike, one entry is left, and it knows both.
 */
export function pairMisspelt(told: readonly Told[], telling: Telling): Told[] {
  const left = new Set(told.filter(isMissing));
  const paired = told.filter((one) => !isMissing(one)).map((one) => pairUnknown(one, left));
  const missing = [...left].map((one) => findSentAs(one, telling));
  const order = new Map(told.map((one, index) => [one.complaint.fault, index]));
  const place = (one: Told): number => order.get(one.complaint.fault) ?? 0;
  return [...paired, ...missing].toSorted((a, b) => place(a) - place(b));
}

function isMissing(one: Told): boolean {
  return ['required', 'dependentRequired', 'dependencies'].includes(one.complaint.fault.keyword);
}

function pairUnknown(one: Told, left: Set<Told>): Told {
  const { fault, pointer } = one.complaint;
  const name = textParam(fault, 'additionalProperty') || textParam(fault, 'unevaluatedProperty');
  if (name === '') return one;
  const here = [...left].filter((other) => other.complaint.pointer === pointer);
  const names = here.map((other) => textParam(other.complaint.fault, 'missingProperty'));
  const renameTo = nearestNames(name, names, 1)[0];
  const pair = here.find((other) => textParam(other.complaint.fault, 'missingProperty') === renameTo);
  if (renameTo === undefined || pair === undefined) return one;
  left.delete(pair);
  return { ...one, renameTo };
}

/** In an object that takes any name, a misspelt one is not reported: it is found among the members that nobody describes. */
function findSentAs(one: Told, telling: Telling): Told {
  const object = valueAt(telling.args, one.complaint.pointer);
  if (!isJsonObject(object)) return one;
  const known = new Set(knownNames(one, telling.root));
  const strangers = Object.keys(object)
    .filter((name) => !known.has(name))
    .slice(0, MAX_COMPARED);
  const sentAs = nearestNames(textParam(one.complaint.fault, 'missingProperty'), strangers, 1)[0];
  return sentAs === undefined ? one : { ...one, sentAs };
}
