import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Config } from '../config.ts';
import { BootError, type BootFault } from '../core/boot-error.ts';
import type { DiscoveredPackage, PackageDiscovery } from '../packages/discovered-package.ts';
import { discoverPackages } from '../packages/run/discover-packages.ts';
import type { UnbuiltPackages } from './refused-refs.ts';

export interface AllPackages {
  readonly packages: readonly DiscoveredPackage[];
  readonly refusals: PackageDiscovery['refusals'];
  readonly faults: readonly BootFault[];
  /** Shipped and not built here, so that the policy may name them all the same. */
  readonly unbuilt: UnbuiltPackages;
  /** Built from this repository's own sources. */
  readonly isShipped: (pkg: DiscoveredPackage) => boolean;
}

/** Where `npm start` builds the shipped packages. Found from dist/ and from src/ alike. */
const SHIPPED_DIR = fileURLToPath(new URL('../../prebuilt', import.meta.url));

const SHIPPED_COMMANDS: UnbuiltPackages = new Map([
  ['csv-column-summary', ['plot', 'summarise']],
  ['data-fetch', ['data-fetch']],
  ['text-stats', ['text_stats']],
]);

/** The shipped packages, where they were built, and the operator's. */
export async function discoverAll({ packagesDir }: Config): Promise<AllPackages> {
  const shipped = existsSync(SHIPPED_DIR) ? await discover(SHIPPED_DIR) : NOTHING;
  const own = packagesDir === undefined ? NOTHING : await discover(packagesDir);
  const ours = new Set(shipped.packages.filter(({ name }) => SHIPPED_COMMANDS.has(name)));
  const packages = [...shipped.packages, ...own.packages];
  return {
    packages,
    refusals: [...shipped.refusals, ...own.refusals],
    faults: [...shipped.faults, ...own.faults, ...findTwins(packages)],
    unbuilt: new Map([...SHIPPED_COMMANDS].filter(([name]) => !packages.some((pkg) => pkg.name === name))),
    isShipped: (pkg) => ours.has(pkg),
  };
}

interface Found extends PackageDiscovery {
  readonly faults: readonly BootFault[];
}

const NOTHING: Found = { packages: [], refusals: [], faults: [] };

async function discover(directory: string): Promise<Found> {
  try {
    return { ...(await discoverPackages(directory)), faults: [] };
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    return { ...NOTHING, faults: error.faults };
  }
}

/** The policy names packages, so two with one name could not be told apart. */
function findTwins(packages: readonly DiscoveredPackage[]): BootFault[] {
  const first = new Map<string, DiscoveredPackage>();
  return packages.flatMap((pkg) => {
    const other = first.get(pkg.name);
    first.set(pkg.name, other ?? pkg);
    if (other === undefined) return [];
    const message = `The package ${pkg.name} is in ${other.directory} as well.`;
    return [{ source: pkg.directory, message, remedy: 'Take one of them away, or rename it.' }];
  });
}
