import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { BootError, type BootFault } from '../../core/boot-error.ts';
import { quote } from '../../core/quote.ts';
import { isName } from '../../core/ref.ts';
import type { DiscoveredPackage, PackageDiscovery, RefusedCommand } from '../discovered-package.ts';
import { discoverPackage } from './discover-package.ts';

/**
 * Every prebuilt package below `directory`, each checked against its manifest, file by file. Nothing is started. Throws
 * one BootError with every package that is half-built, changed or broken, and when `directory` itself is missing. Files
 * beside the packages, and names that begin with a dot, are passed over.
 */
export async function discoverPackages(directory: string): Promise<PackageDiscovery> {
  const root = await realpath(directory).catch(() => refuseMissing(directory));
  const entries = (await readdir(root)).toSorted();
  const packages: DiscoveredPackage[] = [];
  const refusals: RefusedCommand[] = [];
  const faults: BootFault[] = [];
  for (const name of entries) {
    const path = join(root, name);
    if (name.startsWith('.') || !(await isDirectory(path))) continue;
    const found = isName(name) ? await discoverPackage(await realpath(path), name) : nameFault(path, name);
    if ('faults' in found) faults.push(...found.faults);
    else {
      packages.push(found.package);
      refusals.push(...found.refusals);
    }
  }
  if (faults.length > 0) throw new BootError(faults);
  return { packages, refusals };
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

function refuseMissing(directory: string): never {
  throw new BootError([
    {
      source: directory,
      message: 'The directory of prebuilt tool packages is missing.',
      remedy: 'Build the packages with `npm run prebuild`, or configure no directory of packages.',
    },
  ]);
}

function nameFault(path: string, name: string): { readonly faults: readonly BootFault[] } {
  return {
    faults: [
      {
        source: path,
        message: `The directory name ${quote(name)} is no package name.`,
        remedy: 'Use letters, digits, "-" and "_", 64 at most, or move the directory away.',
      },
    ],
  };
}
