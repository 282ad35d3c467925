import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createHandlerTable } from '../../src/skills/handlers/handler-table.ts';
import { toBlocks } from '../../src/skills/handlers/markdown-to-blocks.ts';
import { createTypesetter, type Typesetter } from '../../src/typeset/typesetter.ts';
import { hasProgram } from './has-program.ts';
import { CONTEXT, makeDirectory } from './skill-dirs.ts';

let typesetter: Typesetter;
beforeAll(() => {
  typesetter = createTypesetter({ maxThreads: 1 });
});
afterAll(() => typesetter.close());

const SCHEMA = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    text: { type: 'string' },
    rows: { type: 'array', items: { type: 'string' } },
  },
};
const TEMPLATE =
  '# {{title}}\n\n{{text}}\n\n| Row |\n| :-- |\n{{#rows}}\n| **{{.}}** |\n{{/rows}}\n\n1. one\n2. two\n';

async function renderPdf(args: { title: string; text: string; rows: string[] }, signal = CONTEXT.signal) {
  const bound = createHandlerTable(typesetter)
    .get('render_pdf')
    ?.bind({ file: 't.md', bytes: Buffer.from(TEMPLATE), inputSchema: SCHEMA, language: 'en' });
  if (bound?.ok !== true) throw new Error('not bound');
  return bound.render(args, { ...CONTEXT, signal });
}

const ARGS = { title: 'Report on *stars*', text: 'One | two.\n\n- no list', rows: ['first', 'Zoë € “x”'] };

describe('render_pdf', () => {
  it('[S1-T15] makes the same PDF from the same arguments, and counts its pages', async () => {
    const [first, second] = [await renderPdf(ARGS), await renderPdf(ARGS)];
    expect(first).toMatchObject({ ok: true, facts: { pages: 1 } });
    expect(first).toEqual(second);
  });

  it('reports characters that no font can draw', async () => {
    const made = await renderPdf({ ...ARGS, text: 'a\u{13000}b' });
    expect(made).toMatchObject({ facts: { undrawn: { count: 1, characters: ['U+13000'] } } });
  });

  it('stops when the call is over', async () => {
    await expect(renderPdf(ARGS, AbortSignal.abort())).rejects.toThrow(/abort/iu);
  });

  it.skipIf(!hasProgram('qpdf'))('[S1-T14] makes a PDF that qpdf finds no fault with', async () => {
    const made = await renderPdf({ ...ARGS, rows: Array.from({ length: 80 }, (_, n) => `row ${n}`) });
    const file = join(makeDirectory(), 'a.pdf');
    writeFileSync(file, made.ok ? made.bytes : '');
    expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).toContain(
      'No syntax or stream encoding errors',
    );
  });

  it.skipIf(!hasProgram('pdftotext'))('shows every value literally', async () => {
    const made = await renderPdf(ARGS);
    const file = join(makeDirectory(), 'a.pdf');
    writeFileSync(file, made.ok ? made.bytes : '');
    const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    expect(text).toMatch(/^\s*1 ?\/ ?1$/mu);
    for (const part of ['Report on *stars*', 'One | two.', '- no list', 'first', 'Zoë € “x”']) {
      expect(text).toContain(part);
    }
  });
});

describe('toBlocks', () => {
  it('takes the heading at the top as the title', () => {
    expect(toBlocks('# A *b*\n\ntext')).toEqual({
      title: 'A b',
      blocks: [{ kind: 'paragraph', runs: [{ text: 'text' }] }],
    });
    expect(toBlocks('text\n\n# A').title).toBeUndefined();
  });

  it('reads every kind of block', () => {
    const markdown =
      '## h\n\n- a\n  1. b\n\n3. c\n\n> q\n\n```\ncode\n```\n\n---\n\n| l | c | r |\n| - | :-: | -: |\n| 1 | 2 | 3 |\n';
    expect(toBlocks(markdown).blocks).toEqual([
      { kind: 'heading', level: 2, runs: [{ text: 'h' }] },
      {
        kind: 'list',
        ordered: false,
        items: [
          [
            { kind: 'paragraph', runs: [{ text: 'a' }] },
            {
              kind: 'list',
              ordered: true,
              start: 1,
              items: [[{ kind: 'paragraph', runs: [{ text: 'b' }] }]],
            },
          ],
        ],
      },
      { kind: 'list', ordered: true, start: 3, items: [[{ kind: 'paragraph', runs: [{ text: 'c' }] }]] },
      { kind: 'quote', blocks: [{ kind: 'paragraph', runs: [{ text: 'q' }] }] },
      { kind: 'code', text: 'code' },
      { kind: 'rule' },
      {
        kind: 'table',
        header: [[{ text: 'l' }], [{ text: 'c' }], [{ text: 'r' }]],
        rows: [[[{ text: '1' }], [{ text: '2' }], [{ text: '3' }]]],
        align: ['left', 'center', 'right'],
      },
    ]);
  });

  it('reads every style in a line, and HTML as text', () => {
    const markdown =
      '**b** _i_ ~~s~~ `c` [l](https://a.example) https://b.example/x ![alt](i.png) <b>x</b>\\\nnext\nsoft';
    const [block] = toBlocks(markdown).blocks;
    expect(block).toEqual({
      kind: 'paragraph',
      runs: expect.arrayContaining([
        { text: 'b', bold: true },
        { text: 'i', italic: true },
        { text: 's', strike: true },
        { text: 'c', code: true },
        { text: 'l', link: 'https://a.example' },
        { text: 'https://b.example/x', link: 'https://b.example/x' },
        { text: 'alt' },
        { text: ' <b>x</b>' },
        { text: '\n' },
        { text: 'next' },
        { text: 'soft' },
      ]) as object,
    });
  });
});
