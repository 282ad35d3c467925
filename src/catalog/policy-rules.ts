import type { BootFault } from '../core/boot-error.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import { settleLimits } from './policy-limits.ts';
import type { PolicyDocument } from './policy-schema.ts';
import type { PolicyYaml } from './policy-yaml.ts';

type PlaceOf = PolicyYaml['placeOf'];

/**
 * What a schema cannot say: nothing twice, profiles that exist, dates that exist, limits that agree. Sections that are
 * `broken` are absent from the document, and nothing is held against them.
 */
export function findRuleFaults(
  document: PolicyDocument,
  placeOf: PlaceOf,
  broken: ReadonlySet<string>,
): BootFault[] {
  const callers = document.callers ?? [];
  const lists = [
    ['/approve', document.approve] as const,
    ...Object.entries(document.profiles ?? {}).flatMap(([name, profile]) => [
      [`/profiles/${name}/tools`, profile.tools] as const,
      [`/profiles/${name}/skills`, profile.skills] as const,
    ]),
    ...callers.map((caller, index) => [`/callers/${index}/approve`, caller.approve] as const),
  ];
  return [
    ...lists.flatMap(([pointer, entries]) =>
      findRepeats(entries ?? [], (index) => placeOf(`${pointer}/${index}`), quote),
    ),
    ...findRepeats(
      callers.map(({ name }) => name),
      (index) => placeOf(`/callers/${index}/name`),
      (name) => `The caller ${quote(name)}`,
    ),
    ...findRepeats(
      callers.map(({ key_sha256 }) => key_sha256),
      (index) => placeOf(`/callers/${index}/key_sha256`),
      () => 'This key',
    ),
    ...(broken.has('profiles') ? [] : findUnknownProfiles(document, placeOf)),
    ...findImpossibleDates(document, placeOf),
    ...findLimitConflicts(document, placeOf),
  ];
}

/** One fault for each text that stood earlier in the list. */
export function findRepeats(
  texts: readonly string[],
  placeOf: (index: number) => ReturnType<PlaceOf>,
  name: (text: string) => string,
): BootFault[] {
  const first = new Map<string, number>();
  return texts.flatMap((text, index) => {
    const earlier = first.get(text);
    if (earlier === undefined) {
      first.set(text, index);
      return [];
    }
    const { line } = placeOf(earlier);
    const message = `${name(text)} stands twice${line === undefined ? '' : ` (first in line ${line})`}.`;
    return [{ ...placeOf(index), message, remedy: 'Keep one of the two.' }];
  });
}

function findUnknownProfiles(document: PolicyDocument, placeOf: PlaceOf): BootFault[] {
  const known = Object.keys(document.profiles ?? {});
  const named = [
    ['/default_profile', document.default_profile] as const,
    ...(document.callers ?? []).map(
      (caller, index) => [`/callers/${index}/profile`, caller.profile] as const,
    ),
  ];
  return named.flatMap(([pointer, name]) => {
    if (name === undefined || known.includes(name)) return [];
    const [nearest] = nearestNames(name, known, 1);
    const hint = nearest === undefined ? '' : `Did you mean ${nearest}? `;
    const list = known.length === 0 ? 'No profile is written in `profiles`.' : `Known: ${known.join(', ')}.`;
    return [
      { ...placeOf(pointer), message: `The profile ${quote(name)} is unknown.`, remedy: `${hint}${list}` },
    ];
  });
}

/** V8 reads 30 February as 2 March; writing the date out again shows it. */
function findImpossibleDates(document: PolicyDocument, placeOf: PlaceOf): BootFault[] {
  return (document.callers ?? []).flatMap(({ expires }, index) => {
    if (expires === undefined || isRealDate(expires)) return [];
    return [
      {
        ...placeOf(`/callers/${index}/expires`),
        message: `There is no such moment as ${quote(expires)}.`,
        remedy: 'Write a date and time with its zone, such as 2031-12-31T23:59:59Z.',
      },
    ];
  });
}

function isRealDate(text: string): boolean {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  const isRealDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(text.slice(0, 10));
  return isRealDay && !Number.isNaN(Date.parse(text));
}

function findLimitConflicts(document: PolicyDocument, placeOf: PlaceOf): BootFault[] {
  const { maxArtifactBytes, artifactStoreBytes } = settleLimits(document.limits ?? {});
  if (maxArtifactBytes <= artifactStoreBytes) return [];
  return [
    {
      ...placeOf('/limits/artifact_store_bytes'),
      message: `One artifact of max_artifact_bytes (${maxArtifactBytes}) does not fit into artifact_store_bytes (${artifactStoreBytes}).`,
      remedy: 'Raise artifact_store_bytes or lower max_artifact_bytes.',
    },
  ];
}
