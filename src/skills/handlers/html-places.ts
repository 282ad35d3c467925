import type { SkillNote } from '../skill-fault.ts';
import { flattenTemplate } from '../template/flatten.ts';
import type { Template } from '../template/template.ts';

/** Elements whose content is not text: an escaped value would still be code or style there. */
const RAW_ELEMENTS = new Set([
  'script',
  'style',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'xmp',
  'plaintext',
  'template',
  'svg',
  'math',
]);

/** Escaping makes a value safe as text. Anywhere else (a tag, a comment, a style) the template is refused. */
export function checkHtmlPlaces(template: Template): readonly SkillNote[] {
  const { text, values, sections } = flattenTemplate(template);
  const stateAt = scanHtml(text);
  const outside = values.filter(({ offset }) => stateAt(offset) !== 'text');
  const torn = sections.filter(({ start, end }) => stateAt(start) !== stateAt(end));
  return [
    ...outside.map(({ token, offset }) =>
      template.noteAt(
        token,
        `a value may stand in text only; this one stands inside ${stateAt(offset)}. Move it.`,
      ),
    ),
    ...torn.map(({ token }) =>
      template.noteAt(token, 'a section must hold whole tags; this one begins and ends in different places.'),
    ),
  ];
}

interface Region {
  readonly from: number;
  readonly state: string;
}

/** What surrounds each offset: `text`, `a tag`, `a comment`, `a <style> element`. */
function scanHtml(text: string): (offset: number) => string {
  const regions: Region[] = [{ from: 0, state: 'text' }];
  const opening = /<!--|<[A-Za-z/!?]/gu;
  for (let at = nextMatch(opening, text, 0); at >= 0; at = nextMatch(opening, text, at)) {
    at = text.startsWith('<!--', at) ? passComment(text, at, regions) : passTag(text, at, regions);
  }
  return (offset) => regions.findLast(({ from }) => from <= offset)?.state ?? 'text';
}

function nextMatch(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function passComment(text: string, at: number, regions: Region[]): number {
  const end = text.indexOf('-->', at + 4);
  const next = end < 0 ? text.length + 1 : end + 3;
  regions.push({ from: at + 1, state: 'a comment' }, { from: next, state: 'text' });
  return next;
}

function passTag(text: string, at: number, regions: Region[]): number {
  const end = endOfTag(text, at + 1);
  regions.push({ from: at + 1, state: 'a tag' });
  const name = /^<([A-Za-z][A-Za-z0-9]*)/u.exec(text.slice(at, at + 16))?.[1]?.toLowerCase() ?? '';
  if (!RAW_ELEMENTS.has(name)) {
    regions.push({ from: end, state: 'text' });
    return end;
  }
  regions.push({ from: end, state: `a <${name}> element` });
  const close = nextMatch(new RegExp(`</${name}`, 'giu'), text, end);
  return close < 0 ? text.length + 1 : close;
}

function endOfTag(text: string, from: number): number {
  let quoted = '';
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quoted !== '') quoted = character === quoted ? '' : quoted;
    else if (character === '"' || character === "'") quoted = character;
    else if (character === '>') return at + 1;
  }
  return text.length + 1;
}
