import type { Refusal } from '../catalog/entry.ts';
import type { Policy } from '../catalog/policy.ts';

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
  const lists = [
    policy.approve,
    ...policy.callers.map(({ approve }) => approve ?? []),
    ...[...policy.profiles.values()].map(({ tools }) => tools ?? []),
  ];
  const known = new Set(unbuilt.keys());
  for (const [name, commands] of unbuilt) {
    for (const command of commands) known.add(command).add(`${name}:${command}`);
  }
  const reason = 'The package has not been built; run `npm run prebuild`.';
  return lists
    .flat()
    .filter(({ text }) => known.has(text.split('@', 1)[0] ?? ''))
    .map(({ text }) => ({ ref: text.split('#', 1)[0] ?? '', reason }));
}
