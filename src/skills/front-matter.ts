import matter from 'gray-matter';

import { quote } from '../core/quote.ts';
import { readStrictYaml, type YamlMapping } from './strict-yaml.ts';

export interface FrontMatter extends YamlMapping {
  /** The text after the line of the closing fence. */
  readonly body: string;
}

/** Where the front matter ends, or why there is none. */
type Fences =
  | { readonly ok: true; readonly end: number; readonly bodyStart: number }
  | { readonly ok: false; readonly line: number; readonly message: string };

const OPENING = /^---[ \t]*\r?\n/u;
const CLOSING = /---[ \t]*(?:\r?\n|$)/uy;

/**
 * Takes a text apart into front matter and body. Only `---` alone on a line is a fence: gray-matter itself would read
 * a language after the opening one (and evaluate `---js`), and would take any line that starts with `---` for the
 * closing one, so the fences are settled before it sees the text.
 */
export function readFrontMatter(text: string, file: string): FrontMatter {
  const fences = findFences(text);
  if (!fences.ok) {
    const { line, message } = fences;
    return { fields: new Map(), body: '', faults: [{ file, line, column: 1, message }], findings: [] };
  }
  return { ...readBlock(text.slice(0, fences.end), file), body: text.slice(fences.bodyStart) };
}

function readBlock(block: string, file: string): YamlMapping {
  let mapping: YamlMapping | undefined;
  const parseYaml = (yaml: string): object => {
    mapping = readStrictYaml(yaml, file);
    return {};
  };
  // An options object at all keeps gray-matter from sharing results through its cache.
  matter(block, {
    language: 'yaml',
    engines: {
      yaml: { parse: parseYaml, stringify: refuseEngine },
      json: { parse: refuseEngine, stringify: refuseEngine },
      javascript: { parse: refuseEngine, stringify: refuseEngine },
    },
  });
  // It does not call the engine when there is nothing between the fences.
  return mapping ?? readStrictYaml('', file);
}

function refuseEngine(): never {
  throw new Error('front matter is read as YAML only');
}

function findFences(text: string): Fences {
  const opening = OPENING.exec(text);
  if (opening === null) return { ok: false, line: 1, message: describeOpening(text) };
  const start = text.startsWith('---', opening[0].length)
    ? opening[0].length
    : text.indexOf('\n---', opening[0].length) + 1;
  if (start === 0) {
    const message = 'front matter is not closed. Put a line of exactly --- after the last field.';
    return { ok: false, line: 1, message };
  }
  CLOSING.lastIndex = start;
  const closing = CLOSING.exec(text);
  if (closing !== null) return { ok: true, end: start + 3, bodyStart: start + closing[0].length };
  const line = text.slice(0, start).split('\n').length;
  const shown = quote(/^[^\r\n]*/u.exec(text.slice(start, start + 200))?.[0]);
  return { ok: false, line, message: `front matter must end with a line of exactly ---, not ${shown}.` };
}

function describeOpening(text: string): string {
  const first = /^[^\r\n]*/u.exec(text.slice(0, 1000))?.[0] ?? '';
  if (/^\s*(?:#.*|<!--.*)?\s*$/u.test(first) && /^---/mu.test(text.slice(0, 10_000))) {
    return 'something stands before the front matter. Make --- the very first line.';
  }
  if (first.startsWith('---')) {
    return `the first line must be exactly ---, not ${quote(first)}: front matter is YAML only.`;
  }
  return 'there is no front matter. Start the file with a line of ---, then name and description, then --- again.';
}
