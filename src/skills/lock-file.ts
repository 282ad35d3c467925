import { Type, type Static } from 'typebox';

import { parseRef } from '../core/ref.ts';
import { createJsonReader } from './json-reader.ts';
import type { SkillDigest } from './digest.ts';
import type { SkillNote } from './skill-fault.ts';

export const LOCK_FILE = 'skills.lock.json';

const closed = { additionalProperties: false };

const PinSchema = Type.Object(
  {
    /** Of an executable skill; so that the policy knows the ref even when the skill is refused. */
    ref: Type.Optional(Type.String()),
    digest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
    files: Type.Record(Type.String(), Type.String({ pattern: '^sha256:[0-9a-f]{64}(?: x)?$' })),
  },
  closed,
);

const LockSchema = Type.Object(
  { format: Type.Literal(1), skills: Type.Record(Type.String(), PinSchema) },
  closed,
);

/** What a skill directory was when it was pinned. */
export interface Pin extends SkillDigest {
  readonly ref?: string;
}

/** By directory name. */
export type Pins = ReadonlyMap<string, Pin>;

export type LockReading =
  | { readonly ok: true; readonly pins: Pins }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

const read = createJsonReader(LockSchema);

export function readLock(bytes: Buffer): LockReading {
  const json = read(bytes, LOCK_FILE);
  if (!json.ok) return json;
  const entries = Object.entries(json.value.skills);
  const wrong = entries.filter(([, pin]) => pin.ref !== undefined && parseRef(pin.ref) === undefined);
  if (wrong.length > 0) {
    return {
      ok: false,
      faults: wrong.map(([name]) => json.noteAt(`/skills/${name}/ref`, 'is not id@version.')),
    };
  }
  return { ok: true, pins: new Map(entries.map(([name, pin]) => [name, toPin(pin)])) };
}

function toPin({ ref, digest, files }: Static<typeof PinSchema>): Pin {
  return {
    digest,
    get files() {
      return new Map(Object.entries(files));
    },
    ...(ref === undefined ? {} : { ref }),
  };
}

/** The same bytes for the same pins: sorted, two spaces, one line feed at the end. */
export function writeLock(pins: Pins): string {
  const skills = sorted(pins).map(([name, { ref, digest, files }]) => {
    return [
      name,
      { ...(ref === undefined ? {} : { ref }), digest, files: Object.fromEntries(sorted(files)) },
    ];
  });
  return `${JSON.stringify({ format: 1, skills: Object.fromEntries(skills) as object }, undefined, 2)}\n`;
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
