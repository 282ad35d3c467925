import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

import type { SystemPrograms } from './isolation.ts';

/** Fixed: a search path from the environment would let it choose what isolates. */
const DIRECTORIES = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin'];

export function findSystemProgram(name: string): string | undefined {
  return DIRECTORIES.map((directory) => join(directory, name)).find(isExecutable);
}

export function findSystemPrograms(): SystemPrograms {
  const bubblewrap = findSystemProgram('bwrap');
  const prlimit = findSystemProgram('prlimit');
  const setpriv = findSystemProgram('setpriv');
  return {
    ...(bubblewrap === undefined ? {} : { bubblewrap }),
    ...(prlimit === undefined ? {} : { prlimit }),
    ...(setpriv === undefined ? {} : { setpriv }),
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
