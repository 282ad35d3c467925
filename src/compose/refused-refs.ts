import type { Refusal } from '../catalog/entry.ts';
import type { Policy, PolicyEntry } from '../catalog/policy.ts';

/** Something that the policy may name although it is not there now; and why. */
export interface RefusedRef {
  readonly ref: string;
  readonly reason: string;
}

/** Every way in which the policy may write what was refused; a command of a package also with its package. */
export function refsOfRefusals(refusals: readonly Refusal[]): RefusedRef[] {
  return refusals.flatMap(({ origin, ref, reason }) => {
    if (ref === undefined) return [];
    if (!origin.startsWith('package:')) return [{ ref, reason }];
    const name = origin.slice('package:'.length);
    const [command = '', version = ''] = ref.split('@');
    const written = [ref, `${name}:${command}`, `${name}:${ref}`, name, `${name}@${version}`];
    return written.map((text) => ({ ref: text, reason }));
  });
}

/** Packages that are shipped and not built here, by name, with their commands. */
export type UnbuiltPackages = ReadonlyMap<string, readonly string[]>;

/** What the policy writes of a shipped package that this machine could not build is no slip. */
export function refsOfUnbuilt(policy: Policy, unbuilt: UnbuiltPackages): RefusedRef[] {
  const known = new Set(unbuilt.keys());
  for (const [name, commands] of unbuilt) {
    for (const command of commands) known.add(command).add(`${name}:${command}`);
  }
  const reason = 'The package has not been built; run `npm run prebuild`.';
  return toolEntries(policy)
    .filter(({ text }) => known.has(text.split('@', 1)[0] ?? ''))
    .map(({ text }) => ({ ref: text.split('#', 1)[0] ?? '', reason }));
}

/** While it is unknown which skills are shipped, whatever may be one of them is no slip. */
export function refsOfUnknownSkills(
  policy: Policy,
  { presentNames, reason }: { readonly presentNames: ReadonlySet<string>; readonly reason: string },
): RefusedRef[] {
  return toolEntries(policy)
    .map(({ text }) => text.split('#', 1)[0] ?? '')
    .filter((text) => SKILL.test(text) && !presentNames.has(text.split('@', 1)[0] ?? ''))
    .map((ref) => ({ ref, reason }));
}

/** The same for the methodology skills of the profiles. */
export function namesOfUnknownSkills(policy: Policy, reason: string): { name: string; reason: string }[] {
  return [...policy.profiles.values()]
    .flatMap(({ skills }) => skills ?? [])
    .map(({ text }) => ({ name: text, reason }));
}

/** A skill's name, alone or with its version, which is one whole number; a package's has dots. */
const SKILL = /^[A-Za-z\d][\w-]*(?:@\d+)?$/u;

function toolEntries(policy: Policy): PolicyEntry[] {
  return [
    policy.approve,
    ...policy.callers.map(({ approve }) => approve ?? []),
    ...[...policy.profiles.values()].map(({ tools }) => tools ?? []),
  ].flat();
}
