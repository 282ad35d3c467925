import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  type YAMLMap,
} from 'yaml';

import type { BootFault } from '../core/boot-error.ts';
import { quote } from '../core/quote.ts';
import type { PolicyPlace } from './policy.ts';

/** Where a member stands: its key (for an item of a list the item itself) and its value. */
interface Mark {
  readonly key: number;
  readonly value: number;
}

export interface PolicyYaml {
  /** Plain data; undefined for an empty document and for one that cannot be read. */
  readonly value: unknown;
  /** The place of a value, or of its key, by JSON pointer; of the nearest parent where there is no such value. */
  readonly placeOf: (pointer: string, part?: keyof Mark) => PolicyPlace;
  readonly faults: readonly BootFault[];
}

interface Reader {
  readonly marks: Map<string, Mark>;
  readonly object: (offset: number, message: string, remedy: string) => void;
}

const MAX_DETAIL = 120;

/** A policy has about ten open at its deepest place. */
const MAX_OPEN_NODES = 64;

/**
 * Reads one document of YAML 1.2 (core schema) that is plain data. Refused, each at its line and column: duplicate
 * keys, keys that are not strings, anchors, aliases, tags, merge keys, a second document, and numbers whose value depends on the
 * dialect (`010`, `0x10`). Never throws.
 */
export function readPolicyYaml(text: string, source: string): PolicyYaml {
  const lines = new LineCounter();
  const parsed = parse(text, lines);
  const placeAt = (offset: number): PolicyPlace => toPlace(source, lines, Math.min(offset, text.length));
  const faults: BootFault[] = [];
  const reader: Reader = {
    marks: new Map([['', { key: 0, value: 0 }]]),
    object: (offset, message, remedy) => void faults.push({ ...placeAt(offset), message, remedy }),
  };
  for (const { code, message, offset } of parsed.errors) {
    reader.object(offset, `This is not YAML as a policy needs it: ${shorten(message)}.`, sayRepair(code));
  }
  const value = faults.length === 0 ? readNode(reader, parsed.contents, '') : undefined;
  const placeOf = (pointer: string, part: keyof Mark = 'value'): PolicyPlace =>
    placeAt(findMark(reader.marks, pointer)[part]);
  return { value: value ?? undefined, placeOf, faults };
}

interface Parsed {
  readonly contents: unknown;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly offset: number }[];
}

/**
 * As `parseDocument` of the library does it, but with a limit on depth before the part that calls itself: that one would
 * use up the stack, and V8 ends the process when a regular expression is compiled there.
 */
function parse(text: string, lines: LineCounter): Parsed {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MAX_OPEN_NODES) {
      const error = {
        code: 'RESOURCE_EXHAUSTION',
        message: 'The nesting is too deep',
        offset: parser.offset,
      };
      return { contents: null, errors: [error] };
    }
  }
  tokens.push(...parser.end());
  // Its own search for duplicate keys compares all pairs; the walk over the nodes uses a map.
  const composer = new Composer({ uniqueKeys: false, schema: 'core', logLevel: 'error' });
  const [document, second] = composer.compose(tokens, true, text.length);
  const warnings = document?.warnings.filter(({ code }) => code !== 'TAG_RESOLVE_FAILED') ?? [];
  const errors = [...(document?.errors ?? []), ...warnings].map(({ code, message, pos }) => ({
    code: code as string,
    message,
    offset: pos[0],
  }));
  if (second !== undefined) {
    errors.push({ code: 'MULTIPLE_DOCS', message: 'A second document starts', offset: second.range[0] });
  }
  return { contents: document?.contents, errors };
}

function toPlace(source: string, lines: LineCounter, offset: number): PolicyPlace {
  const { line, col } = lines.linePos(offset);
  return { source, line: Math.max(1, line), column: Math.max(1, col) };
}

function findMark(marks: ReadonlyMap<string, Mark>, pointer: string): Mark {
  const mark = marks.get(pointer);
  if (mark !== undefined || pointer === '') return mark ?? { key: 0, value: 0 };
  return findMark(marks, pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))));
}

function readNode(reader: Reader, node: unknown, pointer: string): unknown {
  if (isAlias(node)) {
    reader.object(node.range?.[0] ?? 0, 'An alias stands here.', 'Write the value itself.');
    return undefined;
  }
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null;
  const start = node.range?.[0] ?? 0;
  if (node.anchor !== undefined) reader.object(start, 'An anchor stands here.', 'Take the &name away.');
  if (node.tag !== undefined) reader.object(start, 'A tag stands here.', 'Take the !tag away.');
  if (isMap(node)) return readMap(reader, node, pointer);
  if (isSeq(node)) {
    return node.items.map((item, index) => {
      const at = `${pointer}/${index}`;
      mark(reader, at, { key: item, value: item });
      return readNode(reader, item, at);
    });
  }
  if (typeof node.value === 'number' && !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/u.test(node.source ?? '')) {
    const remedy = 'Use plain decimal digits, or quotes if it is a text.';
    reader.object(start, 'A number that can be read in two ways stands here.', remedy);
  }
  return node.value;
}

function readMap(reader: Reader, map: YAMLMap, pointer: string): Record<string, unknown> {
  const members = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    const offset = offsetOf(key) ?? map.range?.[0] ?? 0;
    const name = isScalar(key) ? key.value : undefined;
    if (typeof name !== 'string' || name === '<<') {
      reader.object(offset, 'A key that is not a name stands here.', 'Write one name, in quotes if need be.');
      continue;
    }
    readNode(reader, key, pointer);
    if (members.has(name)) {
      reader.object(offset, `The key ${quote(name)} stands twice.`, 'Keep one of the two.');
      continue;
    }
    const at = `${pointer}/${escapePointer(name)}`;
    mark(reader, at, { key, value: value ?? key });
    const read = readNode(reader, value, at);
    if (read !== undefined) members.set(name, read);
  }
  return Object.fromEntries(members);
}

function mark(reader: Reader, pointer: string, nodes: { key: unknown; value: unknown }): void {
  const key = offsetOf(nodes.key) ?? 0;
  reader.marks.set(pointer, { key, value: offsetOf(nodes.value) ?? key });
}

function offsetOf(node: unknown): number | undefined {
  const isPlaced = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
  return isPlaced ? node.range?.[0] : undefined;
}

/** As RFC 6901 writes a member's name in a pointer. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function shorten(message: string): string {
  return message.length > MAX_DETAIL ? `${message.slice(0, MAX_DETAIL)}…` : message;
}

function sayRepair(code: string): string {
  switch (code) {
    case 'BAD_SCALAR_START':
    case 'BLOCK_AS_IMPLICIT_KEY':
      return 'Put the value in quotes.';
    case 'TAB_AS_INDENT':
      return 'Indent with spaces.';
    case 'MULTIPLE_DOCS':
      return 'Keep one document.';
    case 'RESOURCE_EXHAUSTION':
      return 'Nest less deeply.';
    default:
      return 'Correct it here.';
  }
}
