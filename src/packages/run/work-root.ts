import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BootError } from '../../core/boot-error.ts';
import { endProcesses } from './end-processes.ts';
import { findMarked, pidNamespace, startTicks } from './process-table.ts';
import { removeTree } from './remove-tree.ts';

/** The directory under which one service keeps the private directories of its runs. */
export interface WorkRoot {
  readonly directory: string;
  /** Unique among all services of this machine; the first part of every marker. Says nothing of the service. */
  readonly tag: string;
}

/** One for all services of a user, so that each clears away what one that was killed has left. */
export function sharedWorkRoot(): string {
  return join(tmpdir(), `tool-broker-${process.getuid?.() ?? 0}`);
}

/**
 * Makes it, and clears away what services that are gone have left: their processes first, then their files.
 * Throws a BootError when others than the service could change what is inside.
 */
export async function openWorkRoot(root: string, traversable: boolean): Promise<WorkRoot> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await checkOwned(root);
  await chmod(root, traversable ? 0o711 : 0o700);
  await sweep(root);
  const instance = [
    pidNamespace(),
    process.pid,
    startTicks(process.pid) ?? 0,
    randomBytes(6).toString('hex'),
  ].join('.');
  const directory = join(root, instance);
  await mkdir(directory, { mode: 0o700 });
  await chmod(directory, traversable ? 0o711 : 0o700);
  return { directory, tag: tagOf(instance) };
}

/** A package sees its marker, and the name of the directory holds the number of the service's process. */
export function tagOf(instance: string): string {
  return createHash('sha256').update(instance).digest('hex').slice(0, 32);
}

async function checkOwned(root: string): Promise<void> {
  const about = await lstat(root);
  if (about.isDirectory() && about.uid === process.getuid?.()) return;
  throw new BootError([
    {
      source: root,
      message: 'The working directory for packages is not a directory that belongs to the service.',
      remedy: 'Remove it, or set TMPDIR to a directory of the service.',
    },
  ]);
}

async function sweep(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!isAbandoned(name)) continue;
    await endProcesses(() => findMarked(`${tagOf(name)}/`));
    await removeTree(join(root, name));
  }
}

/** A service in another PID namespace cannot be judged from here, so its directory stays. */
function isAbandoned(name: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)\.[0-9a-f]{12}$/u.exec(name);
  if (parts === null || parts[1] !== pidNamespace()) return false;
  return startTicks(Number(parts[2])) !== parts[3];
}
