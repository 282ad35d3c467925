import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BootFault } from '../../core/boot-error.ts';
import { canonicalJson } from '../../core/json.ts';
import { findLauncherFault } from '../check-launcher.ts';
import { sayFaults, type Checked } from '../../core/check-shape.ts';
import {
  COMMAND_LIST,
  LAUNCHER,
  PREBUILT_MANIFEST,
  SCHEMA_DIRECTORY,
  type CommandListing,
  type PackageManifest,
  type PrebuiltManifest,
} from '../contract.ts';
import type {
  DiscoveredCommand,
  DiscoveredPackage,
  PinnedFile,
  RefusedCommand,
} from '../discovered-package.ts';
import { digestFile } from '../list-contents.ts';
import { parseCommandList, parsePrebuiltManifest } from '../parse-contract.ts';
import { buildCommandSpec } from './discover-command.ts';
import { findContentFault } from './discover-contents.ts';

const MAX_JSON_BYTES = 16 * 1_048_576;

export type FoundPackage =
  | { readonly package: DiscoveredPackage; readonly refusals: readonly RefusedCommand[] }
  | { readonly faults: readonly BootFault[] };

/** One prebuilt package at `directory` (absolute), or what is wrong with it. `name` is that of the directory. */
export async function discoverPackage(directory: string, name: string): Promise<FoundPackage> {
  const refuse = (file: string, message: string): FoundPackage => ({
    faults: [
      {
        source: join(directory, file),
        message: `The package ${name}: ${message}.`,
        remedy: `Build it again with \`npm run prebuild ${name} -- --force\`, or remove ${directory}.`,
      },
    ],
  });
  const manifest = await readParsed(join(directory, PREBUILT_MANIFEST), parsePrebuiltManifest);
  const list = await readParsed(join(directory, COMMAND_LIST), parseCommandList);
  if (!list.ok) return refuse(COMMAND_LIST, `${COMMAND_LIST} ${sayFaults(list.faults)}`);
  const missing = await findMissingSchema(directory, list.value);
  if (missing !== undefined) return refuse(missing, `${missing} is missing, so it is half-built`);
  const launcherFault = await findLauncherFault(join(directory, LAUNCHER));
  if (launcherFault !== undefined) return refuse(LAUNCHER, `${LAUNCHER} ${launcherFault}`);
  if (!manifest.ok) return refuse(PREBUILT_MANIFEST, `${PREBUILT_MANIFEST} ${sayFaults(manifest.faults)}`);
  if (manifest.value.package.name !== name) {
    return refuse(PREBUILT_MANIFEST, `its manifest bears the name ${manifest.value.package.name}`);
  }
  const changed = await findContentFault(directory, manifest.value);
  if (changed !== undefined) return refuse(changed.path, changed.message);
  return assemble(directory, manifest.value, list.value);
}

async function findMissingSchema(
  directory: string,
  list: readonly CommandListing[],
): Promise<string | undefined> {
  const needed = [SCHEMA_DIRECTORY, ...list.map(({ name }) => `${SCHEMA_DIRECTORY}/${name}.json`)];
  for (const path of needed) {
    const facts = await lstat(join(directory, path)).catch(() => undefined);
    if (facts === undefined || (path === SCHEMA_DIRECTORY ? !facts.isDirectory() : !facts.isFile()))
      return path;
  }
  return undefined;
}

async function assemble(
  directory: string,
  manifest: PrebuiltManifest,
  list: readonly CommandListing[],
): Promise<FoundPackage> {
  const digest = digestPackage(manifest);
  const commands: DiscoveredCommand[] = [];
  const refusals: RefusedCommand[] = [];
  for (const { name } of list.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const source = join(directory, SCHEMA_DIRECTORY, `${name}.json`);
    const built = buildCommandSpec(await readFile(source, 'utf8'), {
      name,
      manifest: manifest.package,
      digest,
    });
    if (built.ok) commands.push({ name, spec: built.value });
    else {
      const { name: owner, version } = manifest.package;
      const reason = sayFaults(built.faults);
      refusals.push({ origin: `package:${owner}`, source, reason, ref: `${name}@${version}` });
    }
  }
  const pinned = await pinFiles(directory);
  return { package: describePackage(directory, manifest.package, { digest, commands, pinned }), refusals };
}

function describePackage(
  directory: string,
  manifest: PackageManifest,
  found: Pick<DiscoveredPackage, 'digest' | 'commands' | 'pinned'>,
): DiscoveredPackage {
  const { timeout_ms: timeoutMs, idle_ms: idleMs, memory_mb: memoryMb } = manifest;
  return {
    name: manifest.name,
    version: manifest.version,
    directory,
    launcher: join(directory, LAUNCHER),
    stdin: manifest.stdin,
    files: manifest.files,
    hosts: manifest.hosts,
    limits: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(idleMs === undefined ? {} : { idleMs }),
      ...(memoryMb === undefined ? {} : { memoryMb }),
    },
    ...found,
  };
}

async function pinFiles(directory: string): Promise<PinnedFile[]> {
  const paths = [LAUNCHER, PREBUILT_MANIFEST].map((name) => join(directory, name));
  return Promise.all(paths.map(async (path) => ({ path, sha256: await digestFile(path) })));
}

/** Over what the package is, not over what it was made from: the same files are the same package. */
function digestPackage({ package: about, contents }: PrebuiltManifest): string {
  const text = canonicalJson({ package: about, contents });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

async function readParsed<T>(path: string, parse: (text: string) => Checked<T>): Promise<Checked<T>> {
  const facts = await lstat(path).catch(() => undefined);
  const problem =
    facts === undefined
      ? 'is missing, so it is half-built'
      : facts.isFile()
        ? facts.size > MAX_JSON_BYTES && `has ${facts.size} bytes; at most ${MAX_JSON_BYTES} are allowed`
        : 'is not a regular file';
  if (typeof problem === 'string') return { ok: false, faults: [{ path: '', message: problem }] };
  return parse(await readFile(path, 'utf8'));
}
