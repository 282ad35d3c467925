import matter from 'gray-matter';

import { quote } from '../core/quote.ts';
import type { SkillNote } from './skill-fault.ts';
import { readStrictYaml, type YamlField } from './strict-yaml.ts';

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, YamlField>;
  /** The text after the closing fence, without the line break that ends it. */
  readonly body: string;
  readonly faults: readonly SkillNote[];
  readonly findings: readonly SkillNote[];
}

const FENCE = /^---[ \t]*$/u;

/**
 * Takes a text apart into front matter and body. Only `---` alone on a line is a fence: gray-matter itself would read
 * a language after the opening one (and evaluate `---js`), and would take any line that starts with `---` for the
 * closing one, so the fences are settled before it sees the text.
 */
export function readFrontMatter(text: string, file: string): FrontMatter {
  const fault = checkFences(text, file);
  if (fault !== undefined) return { fields: new Map(), body: '', faults: [fault], findings: [] };
  let yaml = readStrictYaml('', file);
  const parseYaml = (block: string): object => {
    yaml = readStrictYaml(block, file);
    return {};
  };
  // An options object at all keeps gray-matter from sharing results through its cache.
  const { content } = matter(text, {
    language: 'yaml',
    engines: {
      yaml: { parse: parseYaml, stringify: refuseEngine },
      json: { parse: refuseEngine, stringify: refuseEngine },
      javascript: { parse: refuseEngine, stringify: refuseEngine },
    },
  });
  return { ...yaml, body: content.replace(/^[ \t]+\r?\n/u, '') };
}

function refuseEngine(): never {
  throw new Error('front matter is read as YAML only');
}

function checkFences(text: string, file: string): SkillNote | undefined {
  const lines = text.split(/\r?\n/u, MAX_FRONT_MATTER_LINES);
  const first = lines[0] ?? '';
  if (!FENCE.test(first)) return { file, line: 1, column: 1, message: describeOpening(text, first) };
  const closing = lines.findIndex((line, index) => index > 0 && line.startsWith('---'));
  if (closing < 0) {
    return {
      file,
      line: 1,
      column: 1,
      message: 'front matter is not closed. Put a line of exactly --- after the last field.',
    };
  }
  if (!FENCE.test(lines[closing] ?? '')) {
    const shown = quote(lines[closing]);
    return {
      file,
      line: closing + 1,
      column: 1,
      message: `front matter must end with a line of exactly ---, not ${shown}.`,
    };
  }
  return undefined;
}

const MAX_FRONT_MATTER_LINES = 1000;

function describeOpening(text: string, first: string): string {
  if (/^\s*(?:#.*|<!--.*)?\s*$/u.test(first) && /^---/mu.test(text.slice(0, 10_000))) {
    return 'something stands before the front matter. Make --- the very first line.';
  }
  if (first.startsWith('---'))
    return `the first line must be exactly ---, not ${quote(first)}: front matter is YAML only.`;
  return 'there is no front matter. Start the file with a line of ---, then name and description, then --- again.';
}
