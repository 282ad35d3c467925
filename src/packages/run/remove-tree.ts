import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Below PATH_MAX (4,096) with room for one name. */
const LONG_PATH = 3_000;

/**
 * Removes a directory and all in it, also directories without permissions and nests deeper than a path can
 * name. Follows no link. Rejects when something stays.
 */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true });
  } catch {
    await loosen(directory);
    await rm(directory, { recursive: true, force: true });
  }
}

/** Makes every directory ours to empty, and brings deep ones up to the top. */
async function loosen(top: string): Promise<void> {
  const pending = [top];
  let moved = 0;
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    await chmod(path, 0o700);
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const inner = join(path, entry.name);
      if (Buffer.byteLength(inner) < LONG_PATH) {
        pending.push(inner);
        continue;
      }
      moved += 1;
      const lifted = join(top, `.lifted-${moved}`);
      await chmod(inner, 0o700);
      await rename(inner, lifted);
      pending.push(lifted);
    }
  }
}
