import { isUtf8 } from 'node:buffer';

import type { Origin } from './tool.ts';

/** A text for a model that says how to do something, with the files that belong to it. Held in memory since boot. */
export interface MethodologySkill {
  /** As the Agent Skills specification has it: lower-case letters, digits and single hyphens. */
  readonly name: string;
  readonly description: string;
  readonly origin: Origin;
  /** SKILL.md without its front matter. */
  readonly body: string;
  /** Everything in the directory besides SKILL.md, by `/`-separated relative path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** `sha256:<hex>` of the whole directory. */
  readonly digest: string;
}

export interface ShelfEntry {
  readonly name: string;
  readonly description: string;
  readonly origin: Origin;
}

export interface ShelfFileEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

export interface ShelfSkill extends ShelfEntry {
  readonly body: string;
  /** Sorted by path. */
  readonly files: readonly ShelfFileEntry[];
}

export interface ShelfFile extends ShelfFileEntry {
  readonly bytes: Uint8Array;
}

/** The methodology skills that one caller or run may read. Names and paths are looked up, never joined to a directory. */
export interface Shelf {
  /** Sorted by name. */
  readonly list: () => readonly ShelfEntry[];
  /** Undefined when this shelf does not hold it. */
  readonly read: (name: string) => ShelfSkill | undefined;
  /** Undefined when this shelf does not hold the skill, or the skill has no such file. */
  readonly readFile: (name: string, path: string) => ShelfFile | undefined;
}

/** A shelf that holds these skills; of two with one name the first counts. */
export function createShelf(skills: readonly MethodologySkill[]): Shelf {
  const held = new Map<string, MethodologySkill>();
  for (const skill of skills) if (!held.has(skill.name)) held.set(skill.name, skill);
  const entries: readonly ShelfEntry[] = Object.freeze(
    [...held.values()]
      .map(({ name, description, origin }) => Object.freeze({ name, description, origin }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  return Object.freeze({
    list: () => entries,
    read: (name: string) => {
      const skill = held.get(name);
      return skill && toShelfSkill(skill);
    },
    readFile: (name: string, path: string) => {
      const bytes = held.get(name)?.files.get(path);
      return bytes && { ...toFileEntry(path, bytes), bytes };
    },
  });
}

export const EMPTY_SHELF: Shelf = createShelf([]);

/** The part of a shelf that has these names. */
export function narrowShelf(shelf: Shelf, names: readonly string[]): Shelf {
  const kept = new Set(names);
  const entries = Object.freeze(shelf.list().filter((entry) => kept.has(entry.name)));
  return Object.freeze({
    list: () => entries,
    read: (name: string) => (kept.has(name) ? shelf.read(name) : undefined),
    readFile: (name: string, path: string) => (kept.has(name) ? shelf.readFile(name, path) : undefined),
  });
}

function toShelfSkill(skill: MethodologySkill): ShelfSkill {
  const { name, description, origin, body, files } = skill;
  const entries = [...files].map(([path, bytes]) => toFileEntry(path, bytes));
  return {
    name,
    description,
    origin,
    body,
    files: entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** Text is never offered as HTML or script: a reader gets it as text, or as bytes to save. */
function toFileEntry(path: string, bytes: Uint8Array): ShelfFileEntry {
  return { path, sizeBytes: bytes.byteLength, mediaType: mediaTypeOf(path, bytes) };
}

function mediaTypeOf(path: string, bytes: Uint8Array): string {
  if (!isUtf8(bytes) || bytes.includes(0)) return 'application/octet-stream';
  return /\.(?:md|markdown)$/iu.test(path) ? 'text/markdown' : 'text/plain';
}
