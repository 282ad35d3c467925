import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Lets every user read what a build left, and nobody but its owner change it: calls may run as another user. */
export async function openModes(path: string): Promise<void> {
  const facts = await lstat(path);
  if (facts.isSymbolicLink()) return;
  const mayRun = facts.isDirectory() || (facts.mode & 0o111) !== 0;
  await chmod(path, mayRun ? 0o755 : 0o644);
  if (!facts.isDirectory()) return;
  for (const name of await readdir(path)) await openModes(join(path, name));
}
