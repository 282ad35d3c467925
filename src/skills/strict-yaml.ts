import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
} from 'yaml';

import { quote } from '../core/quote.ts';
import type { SkillNote } from './skill-fault.ts';

/** One `key: value` of the front matter, with where it stands. */
export interface YamlField {
  readonly key: string;
  readonly value: unknown;
  /** As it stands in the text; undefined where it is not a single value. */
  readonly written: string | undefined;
  /** Of the value; 1-based. */
  readonly line: number;
  readonly column: number;
}

export interface YamlMapping {
  readonly fields: ReadonlyMap<string, YamlField>;
  readonly faults: readonly SkillNote[];
  readonly findings: readonly SkillNote[];
}

interface Reading {
  readonly file: string;
  readonly lines: LineCounter;
  readonly faults: SkillNote[];
  readonly findings: SkillNote[];
}

const QUOTE_HINT = 'Put the whole value in quotes.';

/**
 * Reads YAML 1.2 (core schema) whose root is a mapping with string keys. The parser's warnings are faults; anchors,
 * aliases, explicit types and repeated keys are refused. Never throws. `file` names the text in messages.
 */
export function readStrictYaml(text: string, file: string): YamlMapping {
  const lines = new LineCounter();
  const reading: Reading = { file, lines, faults: [], findings: [] };
  const document = parseDocument(text, {
    lineCounter: lines,
    version: '1.2',
    schema: 'core',
    merge: false,
    strict: true,
    stringKeys: true,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  for (const issue of [...document.errors, ...document.warnings]) {
    note(reading, issue.pos[0], explainYaml(issue.code, issue.message));
  }
  const end = document.range[2];
  if (text.slice(end).trim() !== '') note(reading, end, 'a second document starts here. Keep one.');
  if (reading.faults.length === 0 && NOTABLE.test(text)) reportNodes(reading, document);
  const fields = reading.faults.length === 0 ? readFields(reading, document) : new Map<string, YamlField>();
  return { fields, faults: reading.faults, findings: reading.findings };
}

function explainYaml(code: string, message: string): string {
  const sentence = message.replace(/\.?$/u, '.');
  if (code === 'DUPLICATE_KEY') return `the same key stands here twice. Keep one of them.`;
  if (code === 'TAB_AS_INDENT') return `${sentence} Indent with spaces.`;
  if (code === 'BLOCK_AS_IMPLICIT_KEY') {
    return `a value holds ": ", which YAML reads as another key. ${QUOTE_HINT}`;
  }
  return `is not valid YAML: ${sentence} ${QUOTE_HINT}`;
}

/** One fault a line: what follows the first one is mostly a consequence of it. */
function note(reading: Reading, offset: number, message: string): void {
  const fault = noteAt(reading, offset, message);
  if (!reading.faults.some(({ line }) => line === fault.line)) reading.faults.push(fault);
}

function noteAt(reading: Reading, offset: number, message: string): SkillNote {
  return { file: reading.file, ...placeOf(reading.lines, offset), message };
}

function placeOf(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** Without any of these there is no anchor, alias, type or comment to look for. */
const NOTABLE = /[&*!#]/u;

function reportNodes(reading: Reading, document: Document.Parsed): void {
  visit(document, {
    Pair: (_key, pair) => reportComment(reading, pair as Pair<Node, Node | null>),
    Node: (_key, node) => {
      const fault = describeReference(node);
      if (fault !== undefined) note(reading, node.range?.[0] ?? 0, fault);
    },
  });
}

function describeReference(node: Node): string | undefined {
  if (isAlias(node)) return 'an alias (*) is not allowed. Write the value out, or put it in quotes.';
  if (node.anchor !== undefined) return `an anchor (&) is not allowed. ${QUOTE_HINT}`;
  return node.tag === undefined ? undefined : `an explicit type (!) is not allowed. ${QUOTE_HINT}`;
}

function readFields(reading: Reading, document: Document.Parsed): Map<string, YamlField> {
  const fields = new Map<string, YamlField>();
  const root = document.contents;
  if (!isMap(root)) {
    const what =
      root === null ? 'front matter is empty.' : 'front matter must be a list of `key: value` lines.';
    note(reading, root?.range?.[0] ?? 0, `${what} Write \`name:\` and \`description:\`.`);
    return fields;
  }
  for (const pair of root.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const offset = pair.value?.range?.[0] ?? pair.key.range?.[1] ?? 0;
    fields.set(key, {
      key,
      written: isScalar(pair.value) ? pair.value.source?.slice(0, 80) : undefined,
      value: isScalar(pair.value)
        ? pair.value.value
        : (pair.value?.toJS(document, { maxAliasCount: 0 }) ?? null),
      ...placeOf(reading.lines, offset),
    });
  }
  return fields;
}

/** ` #` inside an unquoted value silently ends it, which is seldom what the author meant. */
function reportComment(reading: Reading, { key, value }: Pair<Node, Node | null>): void {
  const comment = value?.comment ?? value?.commentBefore ?? undefined;
  if (comment === undefined || !isScalar(value)) return;
  const kept = quote(value.value);
  const lost = quote(`#${comment}`);
  const message = `${quote(key.toString())} has a comment after ${kept}: ${lost} is not part of the value. ${QUOTE_HINT}`;
  reading.findings.push(noteAt(reading, value.range?.[1] ?? 0, message));
}
