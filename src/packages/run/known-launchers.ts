import { statSync } from 'node:fs';

import { findLauncherFault } from '../check-launcher.ts';
import type { PinnedFile } from '../discovered-package.ts';
import { digestFile } from '../list-contents.ts';
import type { StartSpec } from './run-spec.ts';

type CheckedSpec = Pick<StartSpec, 'launcher' | 'pinned'>;

/**
 * Looks at each launcher and what is pinned with it once, and again when the disk has changed. Answers a sentence, or
 * undefined when all is well.
 */
export function createLauncherCheck(): (spec: CheckedSpec) => Promise<string | undefined> {
  const known = new Map<string, { readonly state: string; readonly fault: string | undefined }>();
  return async (spec) => {
    const state = [spec.launcher, ...(spec.pinned ?? []).map(({ path }) => path)].map(stateOf).join('|');
    const before = known.get(spec.launcher);
    if (before !== undefined && before.state === state) return before.fault;
    const fault = await findFault(spec);
    known.set(spec.launcher, { state, fault });
    return fault;
  };
}

async function findFault({ launcher, pinned = [] }: CheckedSpec): Promise<string | undefined> {
  const found = await findLauncherFault(launcher);
  if (found !== undefined) return `The launcher ${found}.`;
  const isSame = await Promise.all(pinned.map(isUnchanged));
  return isSame.every(Boolean)
    ? undefined
    : 'The package has changed since the service started; the operator must restart it.';
}

async function isUnchanged({ path, sha256 }: PinnedFile): Promise<boolean> {
  return digestFile(path).then(
    (digest) => digest === sha256,
    () => false,
  );
}

/** Differs when the file does; empty when there is none. */
function stateOf(path: string): string {
  const about = statSync(path, { throwIfNoEntry: false });
  return about === undefined
    ? ''
    : [about.ino, about.mtimeMs, about.ctimeMs, about.size, about.mode].join(' ');
}
