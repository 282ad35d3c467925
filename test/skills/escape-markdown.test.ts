import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';

import { escapeMarkdown } from '../../src/skills/handlers/escape-markdown.ts';

const parser = new MarkdownIt({ html: true });

/** The skeleton of a document, and its text with line breaks as line feeds. */
function read(markdown: string): { structure: string[]; text: string } {
  const tokens = parser.parse(markdown, {}).flatMap((token) => [token].concat(token.children ?? []));
  const inline = new Set(['text', 'softbreak', 'hardbreak', 'inline']);
  return {
    structure: tokens.filter(({ type }) => !inline.has(type)).map(({ type }) => type),
    text: tokens
      .map(({ type, content }) => {
        if (type === 'softbreak' || type === 'hardbreak') return '\n';
        return type === 'text' ? content : '';
      })
      .join(''),
  };
}

const collapse = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();

/** Mostly characters that mean something in Markdown. */
const hostile = fc
  .array(
    fc.constantFrom(
      ...'\\`*_[]<>|~#+-=!&;:.)(1ab \n\t"\'/@$%^{}'.split(''),
      '\n\n',
      '```',
      '~~~',
      '---',
      '===',
      '- ',
      '1. ',
      '# ',
      '> ',
      '    ',
      '&lt;',
      '&#35;',
      '<b>',
      '<!--',
      '](x)',
      '![',
      'http://a.b',
      '\u00A0',
      '😀',
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''));
const value = fc.oneof(hostile, fc.string({ unit: 'grapheme' }));

/** Everything that the view lets through. */
const clean = (text: string) =>
  text.replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '');

describe('escapeMarkdown', () => {
  it.each([
    ['a paragraph', (text: string) => text],
    ['a heading', (text: string) => `# ${text}`],
    ['a list item', (text: string) => `- ${text}`],
    ['a numbered item', (text: string) => `1. ${text}`],
    ['a table cell', (text: string) => `| h | i |\n| - | - |\n| ${text} | z |`],
    ['bold text', (text: string) => `**${text}**`],
    ['the middle of a sentence', (text: string) => `Before ${text} after.`],
    ['a quotation', (text: string) => `> ${text}`],
  ])('shows any value literally in %s', (_where, wrap) => {
    const expected = read(wrap('x')).structure;
    fc.assert(
      fc.property(value, (raw) => {
        const text = clean(raw);
        fc.pre(collapse(text) !== '');
        const found = read(wrap(escapeMarkdown(text, 'inline')));
        expect(found.structure).toEqual(expected);
        expect(found.text).toContain(collapse(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps the lines and paragraphs of any value that stands by itself', () => {
    fc.assert(
      fc.property(value, (raw) => {
        const text = clean(raw);
        const found = read(`# h\n\n${escapeMarkdown(text, 'block')}\n\nend`);
        const paragraphs = text
          .split(/\n[ \t]*\n\s*/u)
          .map(collapse)
          .filter((paragraph) => paragraph !== '');
        expect(found.structure.filter((type) => type === 'paragraph_open')).toHaveLength(
          paragraphs.length + 1,
        );
        expect(new Set(found.structure)).toEqual(
          new Set(['heading_open', 'heading_close', 'paragraph_open', 'paragraph_close']),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['Release 1.2, R&D: done (mostly) - 50 %', 'Release 1.2, R&D: done (mostly) - 50 %'],
    ['snake_case and C# and https://a.example/x_y', 'snake_case and C# and https://a.example/x_y'],
    ['*bold* `code` <b>', '\\*bold\\* \\`code\\` \\<b>'],
    ['- item', '\\- item'],
    ['-5 degrees', '-5 degrees'],
    ['1. first', '1\\. first'],
    ['2026. A year', '2026\\. A year'],
    ['a | b', 'a \\| b'],
  ])('escapes no more than it must: %s', (text, expected) => {
    expect(escapeMarkdown(text, 'inline')).toBe(expected);
  });
});
