import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Dirent,
} from 'node:fs';

import { quote } from '../core/quote.ts';
import { SKILL_LIMITS } from './limits.ts';
import type { SkillNote } from './skill-fault.ts';

export interface SkillFile {
  /** `/`-separated, relative to the skill directory. */
  readonly path: string;
  readonly bytes: Buffer;
  /** The owner's execute bit, the only part of a mode that git keeps. */
  readonly executable: boolean;
}

/** A skill directory as it stood at one moment. With faults, `files` is not the whole of it. */
export interface FileSet {
  /** Sorted by path, as `<` compares texts. */
  readonly files: readonly SkillFile[];
  readonly faults: readonly SkillNote[];
  readonly findings: readonly SkillNote[];
}

interface Walk {
  readonly root: string;
  readonly files: SkillFile[];
  readonly faults: SkillNote[];
  readonly findings: SkillNote[];
  totalBytes: number;
}

/** Left behind by editors, desktops and version control: reported, never content, never part of a digest. */
const LEFTOVER =
  /^(?:\.git|\.gitignore|\.gitattributes|\.svn|\.hg|\.DS_Store|\._.*|__MACOSX|Thumbs\.db|desktop\.ini|\.idea|\.vscode|__pycache__|.*\.pyc|.*~|#.*#|\.#.*|\..*\.sw[a-p]|.*\.(?:orig|rej|bak|tmp))$/u;

export function isLeftover(name: string): boolean {
  return LEFTOVER.test(name);
}

/** Reads every file of a skill directory into memory, within SKILL_LIMITS. Links and special files are never opened. */
export function readFileSet(root: string): FileSet {
  const walk: Walk = { root, files: [], faults: [], findings: [], totalBytes: 0 };
  readDirectory(walk, '', 1);
  walk.files.sort((a, b) => comparePaths(a.path, b.path));
  return walk;
}

/** One order on every platform, whatever its language. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function readDirectory(walk: Walk, directory: string, depth: number): void {
  const entries = listEntries(walk, directory);
  for (const entry of entries) {
    if (walk.faults.length > 0 && walk.files.length >= SKILL_LIMITS.maxFiles) return;
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    const fault = isLeftover(entry.name) ? leftBehind(walk, path) : readEntry(walk, { entry, path, depth });
    if (fault !== undefined) walk.faults.push({ file: path, message: fault });
  }
}

function listEntries(walk: Walk, directory: string): readonly Dirent[] {
  try {
    const entries = readdirSync(`${walk.root}/${directory}`, { withFileTypes: true });
    if (entries.length <= SKILL_LIMITS.maxDirectoryEntries)
      return entries.sort((a, b) => comparePaths(a.name, b.name));
    walk.faults.push({
      file: directory === '' ? '.' : directory,
      message: `has ${entries.length} entries; at most ${SKILL_LIMITS.maxDirectoryEntries} are read.`,
    });
  } catch (error) {
    walk.faults.push({ file: directory === '' ? '.' : directory, message: describeFailure(error) });
  }
  return [];
}

function leftBehind(walk: Walk, path: string): undefined {
  walk.findings.push({
    file: path,
    message: 'was left behind by an editor, a desktop or version control; it is ignored.',
  });
}

interface Entry {
  readonly entry: Dirent;
  readonly path: string;
  readonly depth: number;
}

/** Undefined when all is well, else why this entry refuses the skill. */
function readEntry(walk: Walk, { entry, path, depth }: Entry): string | undefined {
  const type = typeOf(walk.root, path, entry);
  if (type === 'link') return 'is a symbolic link; a skill holds plain files only. Put the file itself here.';
  if (type === 'special') return 'is a pipe, socket or device; a skill holds plain files only. Remove it.';
  const pathBytes = Buffer.byteLength(path);
  if (pathBytes > SKILL_LIMITS.maxPathBytes) {
    return `has a path of ${pathBytes} bytes; at most ${SKILL_LIMITS.maxPathBytes} are allowed.`;
  }
  if (/[\p{Cc}\\\uFFFD]/u.test(path)) return `has a name that is not portable: ${quote(path)}. Rename it.`;
  if (type === 'directory') {
    if (depth >= SKILL_LIMITS.maxDepth) return `is nested deeper than ${SKILL_LIMITS.maxDepth} levels.`;
    readDirectory(walk, path, depth + 1);
    return undefined;
  }
  if (walk.files.length >= SKILL_LIMITS.maxFiles)
    return `is file number ${SKILL_LIMITS.maxFiles + 1}; at most ${SKILL_LIMITS.maxFiles} are allowed.`;
  return readContent(walk, path);
}

function typeOf(root: string, path: string, entry: Dirent): 'file' | 'directory' | 'link' | 'special' {
  const known = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink() || isSpecial(entry);
  const facts = known ? entry : lstatSync(`${root}/${path}`);
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'directory';
  return facts.isSymbolicLink() ? 'link' : 'special';
}

function isSpecial(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();
}

/** O_NOFOLLOW and O_NONBLOCK hold even if the file was swapped for a link or a pipe since it was listed. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function readContent(walk: Walk, path: string): string | undefined {
  const read = openPlain(`${walk.root}/${path}`, SKILL_LIMITS.maxTotalBytes - walk.totalBytes);
  if (typeof read === 'string') return read;
  walk.totalBytes += read.bytes.length;
  walk.files.push({ path, ...read });
  return undefined;
}

/** One plain file, or a sentence that says why not. */
export function readOneFile(path: string): Buffer | string {
  const read = openPlain(path, SKILL_LIMITS.maxTotalBytes);
  return typeof read === 'string' ? read : read.bytes;
}

function openPlain(path: string, maxBytes: number): Omit<SkillFile, 'path'> | string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OPEN_FLAGS);
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return 'is not a plain file. Remove it.';
    if (facts.size > maxBytes) {
      return `has ${facts.size} bytes, which is ${facts.size - maxBytes} too many; all files together may have ${SKILL_LIMITS.maxTotalBytes}.`;
    }
    const bytes = readAll(descriptor, facts.size);
    if (bytes === undefined) return 'changed while it was being read. Start again when it is at rest.';
    return { bytes, executable: (facts.mode & 0o100) !== 0 };
  } catch (error) {
    return describeFailure(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readAll(descriptor: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}

function describeFailure(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return `cannot be read (${code ?? String(error)}). Check that it exists and that the service may read it.`;
}
