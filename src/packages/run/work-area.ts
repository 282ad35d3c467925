import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { removeTree } from './remove-tree.ts';
import type { WorkRoot } from './work-root.ts';

/** The private directories of one run; all absolute, all on the host. */
export interface WorkArea {
  /** Stands in the environment of every process of the run. */
  readonly marker: string;
  readonly directory: string;
  /** Where the run starts, with `out` in it. */
  readonly work: string;
  readonly home: string;
  readonly tmp: string;
  /** The user id that owns them; undefined: the service's own. */
  readonly uid: number | undefined;
  readonly remove: () => Promise<void>;
}

/** The number makes it unique within the service, and is not told: it would say how many calls there were. Not asynchronous: nine calls of microseconds each. */
export function openWorkArea(root: WorkRoot, serial: number, uid: number | undefined): WorkArea {
  const directory = join(root.directory, String(serial));
  const [work, home, tmp] = [join(directory, 'work'), join(directory, 'home'), join(directory, 'tmp')];
  // The outer one stays the service's, so that a run cannot put something else in place of the inner ones.
  mkdirSync(directory, { mode: uid === undefined ? 0o700 : 0o711 });
  const inner = [work, home, tmp, join(work, 'out')];
  for (const path of inner) mkdirSync(path, { mode: 0o700 });
  if (uid !== undefined) for (const path of inner) chownSync(path, uid, uid);
  return {
    marker: `${root.tag}/${randomBytes(8).toString('hex')}`,
    directory,
    work,
    home,
    tmp,
    uid,
    remove: async () => {
      if (!removeEmpty([...inner.toReversed(), directory])) await removeTree(directory);
    },
  };
}

/** Most runs leave nothing. False when one of them is not empty. */
function removeEmpty(directories: readonly string[]): boolean {
  try {
    for (const path of directories) rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}
