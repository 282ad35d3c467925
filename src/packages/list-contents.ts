import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { join, posix } from 'node:path';

import { quote } from '../core/quote.ts';
import type { PackageFile } from './contract.ts';

/** The most that one package may hold; a Python environment has some thousands. */
const MAX_FILES = 50_000;

/**
 * Every file and link below `root`, sorted by path, with the digest of its bytes. Throws an Error that names the path
 * for anything that is neither file, link nor directory, and for a relative link that leaves `root`.
 */
export async function listContents(root: string): Promise<PackageFile[]> {
  const paths = (await listPaths(root, '')).toSorted();
  if (paths.length > MAX_FILES)
    throw new Error(`holds ${paths.length} files; at most ${MAX_FILES} are allowed`);
  const contents: PackageFile[] = [];
  for (const path of paths) contents.push(await describePath(root, path));
  return contents;
}

/** `sha256:<hex>` of a file, read in pieces. */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return `sha256:${hash.digest('hex')}`;
}

async function listPaths(root: string, below: string): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = posix.join(below, entry.name);
    return entry.isDirectory() ? listPaths(root, path) : [path];
  });
  return (await Promise.all(found)).flat();
}

async function describePath(root: string, path: string): Promise<PackageFile> {
  const full = join(root, path);
  const facts = await lstat(full);
  if (facts.isSymbolicLink()) return { path, link_to: await readInnerLink(root, path) };
  if (!facts.isFile()) throw new Error(`${quote(path)} is neither a file nor a link`);
  return {
    path,
    size_bytes: facts.size,
    sha256: await digestFile(full),
    executable: (facts.mode & 0o111) !== 0,
  };
}

/** An absolute link is allowed: a Python environment points at the system's interpreter. */
async function readInnerLink(root: string, path: string): Promise<string> {
  const target = await readlink(join(root, path));
  const lands = posix.normalize(posix.join(posix.dirname(path), target));
  if (!posix.isAbsolute(target) && (lands === '..' || lands.startsWith('../'))) {
    throw new Error(`the link ${quote(path)} leaves the package, to ${quote(target)}`);
  }
  return target;
}
