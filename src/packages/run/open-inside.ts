import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { join, normalize } from 'node:path';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** A regular file inside a directory, opened; or why it is none, as a phrase. */
export type Opened =
  | { readonly handle: FileHandle; readonly sizeBytes: number }
  | { readonly reason: string };

/**
 * Opens `path`, relative to `top` (absolute, without links). Nothing on the way may be a link: what was opened
 * is asked for its own path, so that a change in between cannot lead out either.
 */
export async function openInside(top: string, path: string): Promise<Opened> {
  const wanted = join(top, path);
  if (normalize(path).split('/').includes('..') || !wanted.startsWith(`${top}/`)) {
    return { reason: 'lies outside the working directory' };
  }
  let handle: FileHandle | undefined;
  try {
    // Not blocking: opening a FIFO would wait for a writer.
    handle = await open(wanted, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const about = await handle.stat();
    const isThere = (await readlink(`/proc/self/fd/${handle.fd}`)) === wanted;
    const reason = refuse(about.isFile(), about.nlink, isThere);
    if (reason === undefined) return { handle, sizeBytes: about.size };
    await handle.close();
    return { reason };
  } catch (error) {
    await handle?.close();
    return { reason: describeOpenError(error) };
  }
}

/** A second name may be a file of the service, linked here to be read out with the service's own rights. */
function refuse(isFile: boolean, links: number, isThere: boolean): string | undefined {
  if (!isFile) return 'is not a regular file';
  if (!isThere) return 'is reached through a link';
  return links === 1 ? undefined : 'has a second name elsewhere (hard link)';
}

function describeOpenError(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist';
  if (code === 'ELOOP') return 'is a link';
  return `cannot be read (${code ?? 'unknown error'})`;
}
