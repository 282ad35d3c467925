import { describe, expect, it } from 'vitest';
import type { Block, PdfDocument, Run } from '../../src/typeset/document.ts';
import { openFaces } from '../../src/typeset/faces.ts';
import { renderPdf } from '../../src/typeset/render-pdf.ts';
import { hasProgram, runOnPdf, textOf, wordBoxes } from './pdf-programs.ts';

const faces = openFaces();

function render(blocks: readonly Block[], more: Partial<PdfDocument> = {}) {
  return renderPdf({ language: 'en', blocks, ...more }, faces);
}

function paragraph(...runs: (string | Run)[]): Block {
  return { kind: 'paragraph', runs: runs.map((run) => (typeof run === 'string' ? { text: run } : run)) };
}

function table(rows: readonly (readonly string[])[], header: readonly string[]): Block {
  const cells = (row: readonly string[]) => row.map((text) => [{ text }]);
  return { kind: 'table', header: cells(header), rows: rows.map(cells) };
}

const words = (count: number) => 'lorem ipsum dolor sit amet '.repeat(Math.ceil(count / 5)).trim();
const lineCount = (blocks: readonly Block[], word: string) =>
  wordBoxes(render(blocks).bytes).filter((box) => box.word === word).length;

const hasPoppler = hasProgram('pdftotext');

describe.skipIf(!hasPoppler)('rich blocks (needs pdftotext)', () => {
  it('collapse white space across runs, and start a line at a line feed', () => {
    const { bytes } = render([paragraph(' one ', { text: ' two', bold: true }, '\n  three ')]);
    expect(textOf(bytes)).toBe('one two three');
    const [one, two, three] = wordBoxes(bytes);
    expect(two!.yMin).toBeCloseTo(one!.yMin, 1);
    expect(three!.yMin).toBeGreaterThan(one!.yMin + 10);
  });

  it('give every kind of block back as text, in order', () => {
    const { bytes } = render(
      [
        { kind: 'heading', level: 1, runs: [{ text: 'Heading' }] },
        paragraph('plain ', { text: 'bold', bold: true }, ' ', { text: 'slanted', italic: true }),
        { kind: 'list', ordered: true, start: 9, items: [[paragraph('nine')], [paragraph('ten')]] },
        { kind: 'quote', blocks: [paragraph('quoted')] },
        { kind: 'rule' },
        { kind: 'code', text: 'if (a) {\n\treturn "x";\n}' },
        table([['cell', 'other']], ['left', 'right']),
      ],
      { title: 'The title', pageNumbers: true },
    );
    expect(textOf(bytes)).toBe(
      'The title Heading plain bold slanted 9. nine 10. ten quoted if (a) { return "x"; } left right cell other 1/1',
    );
  });

  it('keep the indentation of code, a tab reaching to the next fourth column', () => {
    const boxes = wordBoxes(render([{ kind: 'code', text: 'flush\n    spaces\n\ttab\na\tmiddle' }]).bytes);
    const leftOf = (word: string) => boxes.find((box) => box.word === word)?.xMin;
    const [flush, spaces, tab, middle] = ['flush', 'spaces', 'tab', 'middle'].map(leftOf);
    expect(spaces! - flush!).toBeGreaterThan(15);
    expect(tab).toBeCloseTo(spaces!, 1);
    expect(middle).toBeCloseTo(spaces!, 1);
  });

  it('stay inside the margins', () => {
    const long = 'W'.repeat(200);
    const { bytes } = render([
      paragraph(long, { text: long, bold: true }, { text: long, code: true }),
      { kind: 'heading', level: 1, runs: [{ text: long }] },
      { kind: 'code', text: long },
      { kind: 'list', ordered: true, start: 1_000_000, items: [[paragraph(long)]] },
      { kind: 'quote', blocks: [{ kind: 'quote', blocks: [paragraph(long)] }] },
      table([[long, 'x', long]], ['a', long, 'b']),
    ]);
    expect(Math.max(...wordBoxes(bytes).map(({ xMax }) => xMax))).toBeLessThanOrEqual(595 - 56 + 0.5);
    expect(Math.min(...wordBoxes(bytes).map(({ xMin }) => xMin))).toBeGreaterThanOrEqual(56 - 0.5);
  });

  it('repeat the header of a table on each of its pages', () => {
    const rows = Array.from({ length: 100 }, (_, index) => [`row${index}`, 'text']);
    const blocks = [table(rows, ['HeaderCell', 'b'])];
    const { pages } = render(blocks);
    expect(pages).toBeGreaterThan(2);
    expect(lineCount(blocks, 'HeaderCell')).toBe(pages);
    expect(lineCount(blocks, 'row99')).toBe(1);
  });

  it('tear a table row that is higher than a page', () => {
    const blocks = [table([[words(2_000), 'x']], ['a', 'b'])];
    expect(render(blocks).pages).toBeGreaterThan(1);
    expect(Math.max(...wordBoxes(render(blocks).bytes).map(({ yMax }) => yMax))).toBeLessThan(842 - 40);
    expect(lineCount(blocks, 'lorem')).toBe(400);
  });

  it('keep a heading with the text under it', () => {
    const filler = Array.from({ length: 30 }, () => paragraph('filler'));
    for (let lines = 26; lines < 32; lines += 1) {
      const { bytes } = render([
        ...filler.slice(0, lines),
        { kind: 'heading', level: 2, runs: [{ text: 'HEAD' }] },
        paragraph('BELOW'),
      ]);
      const head = runOnPdf(bytes, 'pdftotext', ['{}', '-'])
        .split('\f')
        .find((page) => page.includes('HEAD'));
      expect(head).toContain('BELOW');
    }
  });

  it('right-align and centre cells', () => {
    const cells = (row: readonly string[]) => row.map((text) => [{ text }]);
    const { bytes } = render([
      {
        kind: 'table',
        header: cells(['aaaaaaaaaa', 'bbbbbbbbbb']),
        rows: [cells(['1', '2']), cells(['10000', '20000'])],
        align: ['left', 'right'],
      },
    ]);
    const at = new Map(wordBoxes(bytes).map((box) => [box.word, box]));
    expect(at.get('1')!.xMin).toBeCloseTo(at.get('10000')!.xMin, 0);
    expect(at.get('2')!.xMax).toBeCloseTo(at.get('20000')!.xMax, 0);
  });

  it('number the pages only when asked to', () => {
    expect(textOf(render([paragraph('x')]).bytes)).toBe('x');
    expect(textOf(render([paragraph('x')], { pageNumbers: true }).bytes)).toBe('x 1/1');
  });
});

describe('rich blocks', () => {
  it('count what a table could not draw once, although cells are measured before and headers repeated', () => {
    const rows = Array.from({ length: 100 }, () => ['x']);
    expect(render([table(rows, ['中'])]).undrawn?.count).toBe(1);
    expect(render([table([['中']], ['a'])]).undrawn?.count).toBe(1);
  });

  it('may be empty: no items, no cells, no runs, no text', () => {
    const { pages } = render([
      paragraph(),
      paragraph(''),
      { kind: 'heading', level: 6, runs: [] },
      { kind: 'list', ordered: false, items: [] },
      { kind: 'list', ordered: true, items: [[]] },
      { kind: 'table', header: [], rows: [] },
      { kind: 'table', header: [[]], rows: [[]] },
      { kind: 'quote', blocks: [] },
      { kind: 'code', text: '' },
    ]);
    expect(pages).toBe(1);
  });

  it('end for a table of 200 columns and for lists nested 100 deep', () => {
    const deep = Array.from({ length: 100 }).reduce<Block>(
      (inner) => ({ kind: 'list', ordered: false, items: [[paragraph('item'), inner]] }),
      paragraph('innermost'),
    );
    const wide = Array.from({ length: 200 }, (_, index) => `column ${index}`);
    expect(render([deep, table([wide], wide)]).pages).toBeGreaterThan(1);
  });

  it('set a table of 5,000 rows', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => [`${index}`]);
    expect(render([table(rows, ['n'])]).pages).toBeGreaterThan(100);
  });
});

describe.skipIf(!hasProgram('qpdf'))('links and outline (need qpdf)', () => {
  const inspect = (blocks: readonly Block[]) => runOnPdf(render(blocks).bytes, 'qpdf', ['--json', '{}']);

  it('lead to web, mail and telephone addresses, written in ASCII', () => {
    expect(inspect([paragraph({ text: 'x', link: 'https://example.org/ü' })])).toContain(
      'u:https://example.org/%C3%BC',
    );
    expect(inspect([paragraph({ text: 'x', link: 'mailto:a@b.example' })])).toContain('u:mailto:a@b.example');
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', '/relative', 'not a link', ''])(
    'do not lead to %j; the text stays',
    (link) => {
      expect(inspect([paragraph({ text: 'x', link })])).not.toContain('/URI');
    },
  );

  it('list the headings by rank', () => {
    const json = JSON.parse(
      inspect([
        { kind: 'heading', level: 2, runs: [{ text: 'Two' }] },
        { kind: 'heading', level: 1, runs: [{ text: 'One' }] },
        { kind: 'heading', level: 3, runs: [{ text: 'Under' }] },
      ]),
    ) as { outlines: unknown };
    expect(json.outlines).toMatchObject([
      { title: 'Two', kids: [] },
      { title: 'One', kids: [{ title: 'Under' }] },
    ]);
  });

  it('are in a sound file', () => {
    const { bytes } = render([
      { kind: 'heading', level: 1, runs: [{ text: 'H (x) \\ \ud800' }] },
      paragraph({ text: '中 x', link: 'https://example.org/()\\', strike: true, code: true }),
      { kind: 'code', text: 'x' },
      { kind: 'rule' },
    ]);
    expect(runOnPdf(bytes, 'qpdf', ['--check', '{}'])).toContain('No syntax');
  });
});
