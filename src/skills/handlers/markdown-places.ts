import MarkdownIt from 'markdown-it';

import type { SkillNote } from '../skill-fault.ts';
import { flattenTemplate, type FlatTemplate, type FlatValue } from '../template/flatten.ts';
import type { Template, TemplateToken } from '../template/template.ts';
import type { MarkdownPlace } from './escape-markdown.ts';

export interface MarkdownPlaces {
  readonly faults: readonly SkillNote[];
  readonly placeOf: (token: TemplateToken) => MarkdownPlace;
}

/** HTML is looked for, so that a value inside it is found. */
const parser = new MarkdownIt({ html: true });

const NOT_IN_TEXT = 'a value may stand in text only, not in code, a link, an image or HTML. Move it.';

/** Where each value of a Markdown template stands. In code, links and HTML no escape holds, so there it is refused. */
export function findMarkdownPlaces(template: Template): MarkdownPlaces {
  const flat = flattenTemplate(template);
  const faults = MARKED.test(flat.text) ? findFaults(template, flat) : [];
  const blocks = new Set(flat.values.filter((value) => standsAlone(flat, value)).map(({ token }) => token));
  return { faults, placeOf: (token) => (blocks.has(token) ? 'block' : 'inline') };
}

/** Without any of these there is no code, link, image or HTML, and the text need not be parsed. */
const MARKED = /[`~[<\t]| {4}/u;

function findFaults(template: Template, flat: FlatTemplate): SkillNote[] {
  const tokens = parser.parse(flat.text, {}).flatMap((token) => [token].concat(token.children ?? []));
  const texts = tokens.flatMap(({ type, content }) => (type === 'text' ? [content] : [])).join('\n');
  const attributes = tokens
    .flatMap(({ attrs }) => attrs ?? [])
    .flat()
    .join('\n');
  return flat.values
    .filter(({ word }) => !texts.includes(word) || attributes.includes(word))
    .map(({ token }) => template.noteAt(token, NOT_IN_TEXT));
}

/** A paragraph of its own: at the margin, with a blank line (or a heading) before it and a blank line after it. */
function standsAlone({ text }: FlatTemplate, { word, offset }: FlatValue): boolean {
  const before = text.slice(0, offset);
  const after = text.slice(offset + word.length);
  const opens = before === '' || /(?:^|\n)(?:[ \t]*|#{1,6} [^\n]*)\n$/u.test(before.slice(-400));
  return opens && /^[ \t]*(?:$|\n[ \t]*(?:\n|$))/u.test(after);
}
