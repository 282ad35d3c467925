import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { RunLimits } from './run-spec.ts';

const INTERVAL_MS = 200;
const BLOCK_BYTES = 512;

type DiskLimits = Pick<RunLimits, 'workDirBytes' | 'maxWorkDirEntries'>;

/** Looks at a directory again and again and calls `exceeded` once when more lies in it than may. */
export function watchDisk(directory: string, limits: DiskLimits, exceeded: () => void): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    const over = await isOver(directory, limits);
    if (stopped) return;
    if (over) exceeded();
    else timer = setTimeout(() => void look(), INTERVAL_MS);
  };
  timer = setTimeout(() => void look(), INTERVAL_MS);
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Counts the blocks in use, so that a sparse file costs what it holds. What vanishes meanwhile counts nothing. */
async function isOver(top: string, limits: DiskLimits): Promise<boolean> {
  const pending = [top];
  let bytes = 0;
  let entries = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const list: Dirent[] = await readdir(path, { withFileTypes: true }).catch(() => []);
    entries += list.length;
    if (entries > limits.maxWorkDirEntries) return true;
    const inner = list.map((entry) => ({ path: join(entry.parentPath, entry.name), entry }));
    pending.push(...inner.filter(({ entry }) => entry.isDirectory()).map((directory) => directory.path));
    const files = inner.filter(({ entry }) => !entry.isDirectory());
    const sizes = await Promise.all(files.map((file) => usedBytes(file.path)));
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > limits.workDirBytes) return true;
  }
  return false;
}

async function usedBytes(path: string): Promise<number> {
  return lstat(path).then(
    (about) => about.blocks * BLOCK_BYTES,
    () => 0,
  );
}
