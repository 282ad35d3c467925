import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const INTERVAL_MS = 200;
/** Many empty files fill a disk too. */
const MAX_ENTRIES = 20_000;
const BLOCK_BYTES = 512;

/** Looks at a directory again and again and calls `exceeded` once when more than `maxBytes` lie in it. */
export function watchDisk(directory: string, maxBytes: number, exceeded: () => void): { stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const look = async (): Promise<void> => {
    const over = await isOver(directory, maxBytes);
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
async function isOver(top: string, maxBytes: number): Promise<boolean> {
  const pending = [top];
  let bytes = 0;
  let entries = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const list: Dirent[] = await readdir(path, { withFileTypes: true }).catch(() => []);
    entries += list.length;
    if (entries > MAX_ENTRIES) return true;
    const inner = list.map((entry) => ({ path: join(entry.parentPath, entry.name), entry }));
    pending.push(...inner.filter(({ entry }) => entry.isDirectory()).map((directory) => directory.path));
    const files = inner.filter(({ entry }) => !entry.isDirectory());
    const sizes = await Promise.all(files.map((file) => usedBytes(file.path)));
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    if (bytes > maxBytes) return true;
  }
  return false;
}

async function usedBytes(path: string): Promise<number> {
  return lstat(path).then(
    (about) => about.blocks * BLOCK_BYTES,
    () => 0,
  );
}
