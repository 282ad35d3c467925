import type { Policy } from '../catalog/policy.ts';
import type { ConfigReading } from '../config.ts';
import type { BootFault } from '../core/boot-error.ts';
import { nearestNames } from '../core/nearest-names.ts';
import type { DiscoveredPackage } from '../packages/discovered-package.ts';
import type { PackageGrant } from '../packages/run/command-tool.ts';
import type { AllPackages } from './discover-all.ts';

/** What the policy gives this package: nothing, unless it is named there. */
export function grantPackage(
  { name }: DiscoveredPackage,
  policy: Policy,
  { environment }: ConfigReading,
): PackageGrant {
  const granted = policy.packages.get(name);
  if (granted === undefined) return {};
  const env = granted.env.flatMap((variable) => {
    const value = environment[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  return { hosts: granted.hosts, env: Object.fromEntries(env) };
}

/** A grant for a package that is not there, or of a variable that is not set, is a slip that would stay unseen. */
export function findGrantFaults(
  policy: Policy,
  { packages, unbuilt }: Pick<AllPackages, 'packages' | 'unbuilt'>,
  { environment }: ConfigReading,
): BootFault[] {
  const names = [...packages.map((pkg) => pkg.name), ...unbuilt.keys()];
  return [...policy.packages].flatMap(([name, { env, place }]) => {
    if (!names.includes(name)) {
      const [nearest] = nearestNames(name, names, 1);
      const remedy = nearest === undefined ? 'Build it, or take its entry away.' : `Did you mean ${nearest}?`;
      return [{ ...place, message: `There is no package ${name}.`, remedy }];
    }
    const remedy = 'Set it for the service, or take it out of `env`.';
    return env
      .filter((variable) => environment[variable] === undefined)
      .map((variable) => `${variable}, granted to the package ${name}, is not set.`)
      .map((message) => Object.assign({ message, remedy }, place));
  });
}

/** The package with what it asks for held below the operator's ceilings. */
export function capPackage(pkg: DiscoveredPackage, { limits }: Policy): DiscoveredPackage {
  const timeoutMs = Math.min(pkg.limits.timeoutMs ?? limits.packageTimeoutMs, limits.packageTimeoutMs);
  const idleMs = Math.min(pkg.limits.idleMs ?? limits.packageIdleMs, limits.packageIdleMs);
  const memoryMb = Math.min(pkg.limits.memoryMb ?? limits.packageMemoryMb, limits.packageMemoryMb);
  const commands = pkg.commands.map((command) => ({
    ...command,
    spec: { ...command.spec, limits: { ...command.spec.limits, timeoutMs } },
  }));
  return { ...pkg, limits: { timeoutMs, idleMs, memoryMb }, commands };
}
