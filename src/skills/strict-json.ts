import {
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  visit,
  type Node,
  type ParseOptions,
} from 'jsonc-parser';

import type { JsonValue } from '../core/json.ts';
import { replaceConcealed } from '../core/concealed.ts';
import { quote } from '../core/quote.ts';
import { decodeText } from './decode-text.ts';
import type { SkillNote } from './skill-fault.ts';
import { placeInText } from './text-place.ts';

export type StrictJson =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly noteAt: (pointer: string, message: string) => SkillNote;
    }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

const STRICT: ParseOptions = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };

/** Reads UTF-8 JSON (RFC 8259) after at most one byte order mark. Repeated keys and `__proto__` are refused. */
export function readStrictJson(bytes: Buffer, file: string): StrictJson {
  const decoded = decodeText(bytes);
  if (!decoded.ok) return { ok: false, faults: [{ file, message: decoded.message }] };
  const { text } = decoded;
  try {
    const value = parsePlain(text);
    const fault = value === undefined ? findSyntaxFault(text, file) : undefined;
    if (fault !== undefined) return { ok: false, faults: [fault] };
    return {
      ok: true,
      value: value ?? (JSON.parse(text) as JsonValue),
      noteAt: (pointer, message) => locate(text, file, { pointer, message }),
    };
  } catch (error) {
    const message = error instanceof RangeError ? 'is nested too deep.' : `is not JSON: ${String(error)}.`;
    return { ok: false, faults: [{ file, message }] };
  }
}

/** The value when nothing about the text can be wrong: as many keys are left as were written, none is special. */
function parsePlain(text: string): JsonValue | undefined {
  if (text.includes('__proto__') || text.includes('\\u')) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return countKeys(value) === countColons(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Outside strings; in JSON there is one for each key. */
function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === COLON) colons += 1;
    else if (code === QUOTE) {
      for (at += 1; at < text.length && text.charCodeAt(at) !== QUOTE; at += 1) {
        if (text.charCodeAt(at) === BACKSLASH) at += 1;
      }
    }
  }
  return colons;
}

const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return members.reduce<number>(
    (sum, member) => sum + countKeys(member),
    Array.isArray(value) ? 0 : members.length,
  );
}

function findSyntaxFault(text: string, file: string): SkillNote | undefined {
  const open: Set<string>[] = [];
  let fault: SkillNote | undefined;
  const report = (place: readonly unknown[], message: string): void => {
    const [line, character] = place.slice(2) as [number, number];
    fault ??= { file, line: line + 1, column: character + 1, message };
  };
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (key, ...place) => {
        const keys = open.at(-1);
        if (key === '__proto__') report(place, 'the key "__proto__" is not allowed.');
        if (keys?.has(key) === true) report(place, `the key ${quote(key)} stands twice. Keep one of them.`);
        keys?.add(key);
      },
      onError: (code, ...place) => report(place, `is not JSON: ${printParseErrorCode(code)}.`),
    },
    STRICT,
  );
  return fault;
}

const NO_NODE: Node = { type: 'null', offset: 0, length: 0 };

/** The tree with places is built for the sake of a message only. */
function locate(
  text: string,
  file: string,
  { pointer, message }: { pointer: string; message: string },
): SkillNote {
  const segments = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const tree = parseTree(text, undefined, STRICT) ?? NO_NODE;
  const told = `${replaceConcealed(pointer, spellOut)} ${message}`.trimStart();
  for (let length = segments.length; length >= 0; length -= 1) {
    const path = segments.slice(0, length).map((part) => (/^\d+$/u.test(part) ? Number(part) : part));
    const node = findNodeAtLocation(tree, path);
    if (node !== undefined) return { file, ...placeInText(text, node.offset), message: told };
  }
  return { file, message: told };
}

function spellOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
