import { distance } from 'fastest-levenshtein';

import { quote } from '../core/quote.ts';
import { VARIABLES } from './variables.ts';

const MIN_LENGTH = 7;

/** Names that are not ours and all but: a misspelt API_KEY would leave the service without one. */
export function findSlips(names: readonly string[]): string[] {
  const ours = Object.keys(VARIABLES);
  return names.flatMap((name) => {
    if (ours.includes(name)) return [];
    const meant = ours.find((known) => isNear(name.toUpperCase(), known));
    return meant === undefined ? [] : [`${quote(name)} is set and is not read. Did you mean ${meant}?`];
  });
}

/** HOST and PORT are left out: too many names of others are near them. */
function isNear(name: string, known: string): boolean {
  const tolerated = known.length > MIN_LENGTH + 1 ? 2 : 1;
  const forms = [name, name.replace(/^(?:TOOL_)?BROKER_/u, '')];
  return known.length >= MIN_LENGTH && forms.some((form) => distance(form, known) <= tolerated);
}
