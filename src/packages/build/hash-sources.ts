import { createHash, type Hash } from 'node:crypto';
import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';

/** Left behind by tools and made again at will: no part of a source. Dot paths are none either. */
const IGNORED = new Set(['node_modules', '__pycache__', 'prebuilt']);

export function isSourcePath(name: string): boolean {
  return !name.startsWith('.') && !IGNORED.has(name) && !name.endsWith('.pyc') && !name.endsWith('.egg-info');
}

/**
 * `sha256:<hex>` over the sorted files below `root`: for each the length of its path, the path, whether it may be
 * executed, its size and its bytes. No two trees share a preimage, as they would with a bare separator.
 */
export async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await listSources(root, '')).toSorted()) await addFile(hash, root, path);
  return `sha256:${hash.digest('hex')}`;
}

async function listSources(root: string, below: string): Promise<string[]> {
  const entries = await readdir(join(root, below), { withFileTypes: true });
  const found = entries
    .filter((entry) => isSourcePath(entry.name))
    .map(async (entry) => {
      const path = posix.join(below, entry.name);
      if (entry.isDirectory()) return listSources(root, path);
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    });
  return (await Promise.all(found)).flat();
}

async function addFile(hash: Hash, root: string, path: string): Promise<void> {
  const full = join(root, path);
  const { bytes, executable } = await readSource(full);
  const name = Buffer.from(path);
  hash.update(frame(name.length)).update(name);
  hash.update(executable ? 'x' : '-');
  hash.update(frame(bytes.length)).update(bytes);
}

async function readSource(path: string): Promise<{ bytes: Buffer; executable: boolean }> {
  try {
    const facts = await stat(path);
    if (facts.isFile()) return { bytes: await readFile(path), executable: (facts.mode & 0o111) !== 0 };
  } catch {
    // A link that leads nowhere is hashed as the text of the link.
  }
  return { bytes: Buffer.from(await readlink(path)), executable: false };
}

function frame(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}
