import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { BootError, type BootFault } from '../../core/boot-error.ts';
import { nearestNames } from '../../core/nearest-names.ts';
import { quote } from '../../core/quote.ts';
import { isName } from '../../core/ref.ts';
import { MissingBuildTool, type BuildTools } from './builder.ts';
import { buildPackage, type BuildOutcome } from './build-package.ts';
import { findSourceKind } from './read-source.ts';
import type { RunLauncher } from './run-launcher.ts';

export interface BuildRequest {
  /** The directory whose sub-directories are packages. */
  readonly sources: string;
  /** Where prebuilt packages go. */
  readonly output: string;
  /** Which to build; empty: all. */
  readonly names: readonly string[];
  /** Build even what has not changed. */
  readonly force: boolean;
  readonly run: RunLauncher;
  readonly tools: BuildTools;
  /** One line of progress. */
  readonly log: (line: string) => void;
}

export interface BuildReport {
  readonly outcomes: readonly { readonly name: string; readonly outcome: BuildOutcome | 'left-out' }[];
}

/**
 * Builds packages one after another. Each is put in place whole or not at all. Throws one BootError with a fault for
 * every package that failed, after the others are done.
 */
export async function buildPackages(request: BuildRequest): Promise<BuildReport> {
  const sources = resolve(request.sources);
  const names = await chooseNames(sources, request.names);
  const faults: BootFault[] = [];
  const outcomes: { name: string; outcome: BuildOutcome | 'left-out' }[] = [];
  for (const [index, name] of names.entries()) {
    const log = (line: string): void => request.log(`[${index + 1}/${names.length}] ${name}: ${line}`);
    const source = join(sources, name);
    try {
      outcomes.push({ name, outcome: await buildPackage(source, { ...request, log }) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (error instanceof MissingBuildTool) {
        log(`left out, it ${message}`);
        outcomes.push({ name, outcome: 'left-out' });
      } else {
        log('failed');
        faults.push(toFault(source, message));
      }
    }
  }
  if (request.names.length === 0) await noteOrphans(names, request);
  if (faults.length > 0) throw new BootError(faults);
  return { outcomes };
}

/** A package whose source was removed is still discovered; removing it is the operator's decision. */
async function noteOrphans(names: readonly string[], { output, log }: BuildRequest): Promise<void> {
  const built = await readdir(output).catch(() => []);
  const orphans = built.filter((name) => isName(name) && !names.includes(name));
  for (const name of orphans) log(`${join(output, name)} has no source here; remove it if it is not wanted.`);
}

function toFault(source: string, message: string): BootFault {
  return {
    source,
    message: message.endsWith('.') ? message : `${message}.`,
    remedy: 'Mend the package and build it again; the last good build of it is still in place.',
  };
}

/** Every name is compared with those on the disk; none is joined to a path before. */
async function chooseNames(sources: string, wanted: readonly string[]): Promise<string[]> {
  const known = await listSources(sources);
  const unknown = [...new Set(wanted)].filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new BootError(
      unknown.map((name) => ({
        source: sources,
        message: `There is no package ${quote(name)} here.`,
        remedy: `Use one of: ${sayNames(name, known)}.`,
      })),
    );
  }
  return wanted.length === 0 ? known : known.filter((name) => wanted.includes(name));
}

function sayNames(wanted: string, known: readonly string[]): string {
  const near = nearestNames(wanted, known, 5);
  return (near.length > 0 ? near : known).join(', ') || '(none)';
}

async function listSources(sources: string): Promise<string[]> {
  const entries = await readdir(sources).catch(() => {
    throw new BootError([
      {
        source: sources,
        message: 'The directory of package sources is missing.',
        remedy: 'Name the directory that holds them, one sub-directory each.',
      },
    ]);
  });
  const found: string[] = [];
  for (const name of entries.toSorted()) {
    const directory = join(sources, name);
    if (!isName(name) || !(await stat(directory)).isDirectory()) continue;
    const isPackage = await findSourceKind(directory).then(
      (kind) => kind !== undefined,
      () => true,
    );
    if (isPackage) found.push(name);
  }
  return found;
}
