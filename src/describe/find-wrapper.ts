import { isJsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import type { Told } from './choose-form.ts';
import { childPointer, pointerSteps } from './json-pointer.ts';
import { valueAt } from './read-schema.ts';
import { membersAt } from './schemas-at.ts';
import type { Sentence, Telling } from './sentence.ts';

export interface Unwrapped {
  readonly sentences: readonly Sentence[];
  /** What is left when everything inside the wrappers has been put aside. */
  readonly told: readonly Told[];
}

/**
 * Arguments in a box: an object with nothing but one unknown member, in which all that was wanted here stands
 * (`{"arguments": {…}}`, `{"value": {…}}`). That is one thing wrong, whatever a validator says of the rest.
 */
export function findWrappers(told: readonly Told[], telling: Telling): Unwrapped {
  const sentences: Sentence[] = [];
  let left = told;
  for (const place of placesAbove(told)) {
    const name = wrapperAt(place, telling);
    const inside = left.filter((one) => isAtOrBelow(one.complaint.pointer, place));
    if (name === undefined || inside.length === 0) continue;
    left = left.filter((one) => !inside.includes(one));
    const message = `Unknown argument ${quote(name)} around the others. Move its members one level up.`;
    sentences.push({ path: childPointer(place, name), message });
  }
  return { sentences, told: left };
}

/** The places of all complaints and everything above them, outermost first. */
function placesAbove(told: readonly Told[]): string[] {
  const places = told.flatMap((one) => {
    const steps = pointerSteps(one.complaint.pointer);
    return [...steps.keys(), steps.length].map((count) =>
      steps
        .slice(0, count)
        .map((step) => childPointer('', step))
        .join(''),
    );
  });
  return [...new Set(places)].toSorted((a, b) => a.length - b.length);
}

function isAtOrBelow(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}

function wrapperAt(place: string, telling: Telling): string | undefined {
  const object = valueAt(telling.args, place);
  if (!isJsonObject(object)) return undefined;
  const [name, ...others] = Object.keys(object);
  if (name === undefined || others.length > 0) return undefined;
  const known = membersAt(telling.root, place);
  const inner = object[name];
  if (known.has(name) || !isJsonObject(inner)) return undefined;
  const names = Object.keys(inner);
  return names.length > 0 && names.every((one) => known.has(one)) ? name : undefined;
}
