import type { Refusal } from '../catalog/entry.ts';
import type { Policy } from '../catalog/policy.ts';
import { formatRef } from '../core/ref.ts';
import type { DiscoveredPackage } from '../packages/discovered-package.ts';
import type { Isolation } from '../packages/run/isolation.ts';
import type { AllPackages } from './discover-all.ts';

/** What is not shipped runs at `namespaces`, or at `limits` where the policy says so; without either nothing runs. */
export function sortByIsolation(
  { packages, isShipped }: Pick<AllPackages, 'packages' | 'isShipped'>,
  isolation: Isolation,
  policy: Pick<Policy, 'minimumIsolation'>,
): { usable: DiscoveredPackage[]; refusals: Refusal[] } {
  const isEnough = (pkg: DiscoveredPackage): boolean =>
    isolation.level === 'namespaces' ||
    (isolation.level === 'limits' && (isShipped(pkg) || policy.minimumIsolation === 'limits'));
  const why = (pkg: DiscoveredPackage): string =>
    isolation.level === 'none'
      ? `this machine can isolate nothing. ${isolation.detail}`
      : `${pkg.name} is not shipped with the service and needs isolation by namespaces. ${isolation.detail} ` +
        'Write `isolation: {minimum: limits}` into the policy to run it all the same.';
  return {
    usable: packages.filter(isEnough),
    refusals: packages
      .filter((pkg) => !isEnough(pkg))
      .flatMap((pkg) =>
        pkg.commands.map(({ spec }) => ({
          origin: spec.origin,
          source: pkg.directory,
          reason: why(pkg),
          ref: formatRef(spec),
        })),
      ),
  };
}
