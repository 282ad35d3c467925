import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Discovery passes over names that begin with a dot, so a build that was killed leaves nothing that counts. */
const STAGING = '.build-';

/**
 * Fills a fresh directory beside `target` and puts it in its place when `fill` is done. When `fill` throws, `target`
 * stays as it was.
 */
export async function replaceDirectory(
  target: string,
  fill: (staging: string) => Promise<void>,
): Promise<void> {
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  await removeLeftovers(parent);
  const work = await mkdtemp(join(parent, `${STAGING}${process.pid}-`));
  const staging = join(work, 'package');
  try {
    // A launcher that is asked what it can do may run as another user.
    await chmod(work, 0o755);
    await mkdir(staging, { mode: 0o755 });
    await fill(staging);
    await swap(staging, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function swap(staging: string, target: string): Promise<void> {
  const retired = join(dirname(staging), 'retired');
  const hadOne = await rename(target, retired).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(staging, target);
  } catch (error) {
    if (hadOne) await rename(retired, target);
    throw error;
  }
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = new RegExp(`^\\${STAGING}(\\d+)-`, 'u').exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
