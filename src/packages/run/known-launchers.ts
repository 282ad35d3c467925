import { statSync } from 'node:fs';

import { findLauncherFault } from '../check-launcher.ts';

/** Looks at each launcher once, and again when it has changed. Answers a sentence, or undefined when all is well. */
export function createLauncherCheck(): (path: string) => Promise<string | undefined> {
  const known = new Map<string, { readonly state: string; readonly fault: string | undefined }>();
  return async (path) => {
    const state = stateOf(path);
    const before = known.get(path);
    if (before !== undefined && before.state === state) return before.fault;
    const found = await findLauncherFault(path);
    const fault = found === undefined ? undefined : `The launcher ${found}.`;
    known.set(path, { state, fault });
    return fault;
  };
}

/** Differs when the file does; unique when there is none. */
function stateOf(path: string): string {
  const about = statSync(path, { throwIfNoEntry: false });
  return about === undefined
    ? ''
    : [about.ino, about.mtimeMs, about.ctimeMs, about.size, about.mode].join(' ');
}
