import { realpath } from 'node:fs/promises';
import { basename, normalize } from 'node:path';

import type { ToolFile } from '../../core/artifact.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { listNamed, listOut, OUT_DIRECTORY } from './find-left-files.ts';
import { isSafeName } from './lay-files.ts';
import { mediaTypeOf } from './media-type-of.ts';
import { openInside } from './open-inside.ts';
import { packFiles } from './pack-files.ts';

/** Before they are packed into one. */
const MAX_FILES = 64;

export interface CollectedFiles {
  /** The only file, or several as one zip. */
  readonly file?: ToolFile;
  /** What was not taken, or is not what its name says, and why: sentences. */
  readonly notes: readonly string[];
  /** Set when there is more than may be handed on; a sentence. `file` is absent then. */
  readonly tooLarge?: string;
}

export interface CollectRequest {
  readonly workDir: string;
  /** What the command printed, if it was JSON. */
  readonly data: JsonObject | readonly JsonValue[] | undefined;
  readonly zipName: string;
  /** All files together, and the zip. */
  readonly maxBytes: number;
}

/** Takes what a command left in `out/` or named in its JSON: regular files inside the working directory only. */
export async function collectFiles(request: CollectRequest): Promise<CollectedFiles> {
  const top = await realpath(request.workDir);
  const named = [...listNamed(request.data, request.workDir), ...(await listOut(top, MAX_FILES))].map(
    normalize,
  );
  const paths = [...new Set(named)];
  if (paths.length > MAX_FILES) {
    return {
      notes: [],
      tooLarge: `The command left more than ${MAX_FILES} files; that is the limit for one call.`,
    };
  }
  const taken = await takeFiles(top, paths, request.maxBytes);
  if (taken.tooLarge !== undefined || taken.files.length === 0) {
    return { notes: taken.notes, ...(taken.tooLarge === undefined ? {} : { tooLarge: taken.tooLarge }) };
  }
  const [only] = taken.files;
  if (taken.files.length === 1 && only !== undefined) {
    return { notes: taken.notes, file: { ...only, name: basename(only.name) } };
  }
  const file = await packFiles(request.zipName, taken.files);
  return file.bytes.byteLength > request.maxBytes
    ? { notes: taken.notes, tooLarge: describeTooLarge(request.maxBytes) }
    : { notes: taken.notes, file };
}

interface Taken {
  readonly files: readonly ToolFile[];
  readonly notes: readonly string[];
  readonly tooLarge?: string;
}

async function takeFiles(top: string, paths: readonly string[], maxBytes: number): Promise<Taken> {
  const files: ToolFile[] = [];
  const notes: string[] = [];
  let left = maxBytes;
  for (const path of paths) {
    const read = await readInside(top, path, left);
    if (read === 'too large') return { files, notes, tooLarge: describeTooLarge(maxBytes) };
    if (typeof read === 'string') {
      notes.push(`${shown(path)} ${read}; it was not taken.`);
      continue;
    }
    left -= read.byteLength;
    const { mediaType, isMisnamed } = await mediaTypeOf(path, read);
    if (isMisnamed) notes.push(`${shown(path)} is not what its name says; its type is ${mediaType}.`);
    files.push({ name: freeName(path, files), mediaType, bytes: read });
  }
  return { files, notes };
}

/** The bytes, `too large`, or why not, as a phrase. */
async function readInside(top: string, path: string, maxBytes: number): Promise<Buffer | string> {
  if (!path.split('/').every(isSafeName)) {
    return path.startsWith('/') || path.includes('..')
      ? 'lies outside the working directory'
      : 'has a name that cannot be used';
  }
  const opened = await openInside(top, path);
  if ('reason' in opened) return opened.reason;
  try {
    if (opened.sizeBytes > maxBytes) return 'too large';
    const bytes = Buffer.alloc(opened.sizeBytes);
    const { bytesRead } = await opened.handle.read(bytes, 0, bytes.length, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await opened.handle.close();
  }
}

/** `out/a/b.png` is handed on as `a/b.png`; a name that is taken gets a number in front. */
function freeName(path: string, files: readonly ToolFile[]): string {
  const wanted = path.startsWith(`${OUT_DIRECTORY}/`) ? path.slice(OUT_DIRECTORY.length + 1) : path;
  const isTaken = (name: string): boolean => files.some((file) => file.name === name);
  let name = wanted;
  for (let number = 2; isTaken(name); number += 1) name = `${number}-${wanted}`;
  return name;
}

function describeTooLarge(maxBytes: number): string {
  return `The command left files of more than ${maxBytes.toLocaleString('en-US')} bytes; that is the limit for one call.`;
}

function shown(path: string): string {
  return `\`${path.replaceAll(/[\p{Cc}\p{Cf}`]/gu, '?').slice(0, 120)}\``;
}
