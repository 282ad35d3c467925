import { array, assert, property, string, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFaces } from '../../src/typeset/faces.ts';
import { renderPdf } from '../../src/typeset/render-pdf.ts';
import { hasProgram, runOnPdf, textOf, wordBoxes } from './pdf-programs.ts';

const faces = openFaces();
const RIGHT_MARGIN_PT = 595 - 56;

function render(text: string, title?: string) {
  return renderPdf(
    { language: 'en', ...(title === undefined ? {} : { title }), blocks: [{ kind: 'lines', text }] },
    faces,
  );
}

const hasPoppler = hasProgram('pdftotext');
const hasQpdf = hasProgram('qpdf');

describe('pages', () => {
  it.each([
    [1, 1],
    [43, 1],
    [44, 2],
    [86, 2],
    [87, 3],
  ])('[S1-24] %i lines fill %i pages, with and without a title', (count, pages) => {
    const text = Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
    expect(render(text).pages).toBe(pages);
    expect(render(text, 'A title').pages).toBe(pages);
  });

  it('[S1-28] 12,000 line breaks fill 280 pages in a file of at most 160 KB', () => {
    const { bytes, pages } = render(`x${'\n'.repeat(11_999)}`);
    expect(pages).toBe(280);
    expect(bytes.byteLength).toBeLessThan(160_000);
  });

  it('are at least one for a text with nothing to show', () => {
    expect(render('\u0000\u200b').pages).toBe(1);
    expect(render('').pages).toBe(1);
  });

  it('hold fewer lines under a title of many lines', () => {
    const text = Array.from({ length: 43 }, () => 'line').join('\n');
    expect(render(text, 'W'.repeat(160)).pages).toBe(2);
  });
});

describe('undrawn', () => {
  it('is absent when every character has a glyph', () => {
    expect(render('é í ß € – “ ” Ωμέγα Жук → ✓ ≥ ½ x\u0323\u0301').undrawn).toBeUndefined();
  });

  it('counts every occurrence and lists each character once, in code point order', () => {
    expect(render('中 文 中', '日').undrawn).toEqual({
      count: 4,
      characters: ['U+4E2D', 'U+6587', 'U+65E5'],
    });
  });

  it('counts what stands behind a joined emoji but not the joiner', () => {
    expect(render('👨\u200d👩\u200d👧').undrawn).toEqual({
      count: 3,
      characters: ['U+1F467', 'U+1F468', 'U+1F469'],
    });
  });

  it('counts lone surrogates', () => {
    expect(render('a\ud800b').undrawn).toEqual({ count: 1, characters: ['U+D800'] });
  });

  it('counts Arabic and Hebrew letters', () => {
    expect(render('سلام שלום').undrawn?.count).toBe(8);
  });

  it('lists at most 50 characters and counts them all', () => {
    const ideographs = (count: number) =>
      Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    expect(render(ideographs(50)).undrawn?.characters).toHaveLength(50);
    const more = render(ideographs(51)).undrawn;
    expect(more?.characters).toHaveLength(50);
    expect(more?.count).toBe(51);
  });

  it('leaves out what is not to be seen: soft hyphens, zero-width characters, byte order marks, controls', () => {
    expect(render('a\u00ad\u200b\u200c\u200d\u2060\ufeff\ufe0f\u0000\u0007\u202eb').undrawn).toBeUndefined();
  });
});

describe.skipIf(!hasQpdf)('the file (needs qpdf)', () => {
  it.each([
    ['a letter', 'Dear Ms Keller,\n\nall is well.', 'A letter (with \\ and <&>)'],
    ['boxes', '中文 العربية 👨\u200d👩\u200d👧 \ud800 नमस्ते', '日本'],
    ['nothing to draw', '\u0000', undefined],
  ])('[S1-26] is a sound PDF: %s', (_name, text, title) => {
    expect(runOnPdf(render(text, title).bytes, 'qpdf', ['--check', '{}'])).toContain('No syntax');
  });

  it('carries its language and title, and no false date', () => {
    const { bytes } = render('x', 'Zürich <&> (1)');
    const json = runOnPdf(bytes, 'qpdf', ['--json', '{}']);
    expect(json).toContain('"/Lang": "u:en"');
    expect(json).toContain('"/DisplayDocTitle": true');
    expect(json).toContain('u:Zürich <&> (1)');
    expect(json).not.toContain('CreationDate');
  });
});

describe.skipIf(!hasPoppler)('the text (needs pdftotext)', () => {
  it.each([
    ['[S1-27] accents and signs', 'né aquí groß 5 € – “so” çà señor Łódź hűvös'],
    ['Greek and Cyrillic', 'Καλημέρα κόσμε. Привет, мир! Ўзбекистон'],
    ['combining marks', 'x\u0323\u0301 q\u0303'],
    ['ligatures', 'office affluent fjord fluffy'],
    ['signs from the second font', 'from → done ✓ most ≥ open ☐'],
    ['Devanagari', 'नमस्ते दुनिया क्षत्रिय'],
    ['characters shown as boxes', '中文字 latin 日本'],
    ['an emoji shown as a box', 'so 👨\u200d👩\u200d👧 ok'],
    ['letters of other scripts', 'ქართული Հայերեն'],
  ])('comes back: %s', (_name, text) => {
    expect(textOf(render(text).bytes)).toBe(text);
  });

  it('is composed first', () => {
    expect(textOf(render('e\u0301te\u0301').bytes)).toBe('été');
  });

  it('loses control characters; a tab is a space', () => {
    expect(textOf(render('a\tb\u0000c\u0007d\u007fe').bytes)).toBe('a bcde');
  });

  it.each(['\n', '\r', '\r\n', '\v', '\f', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029'])(
    '[S1-25] starts a new line at %j',
    (lineBreak) => {
      const [first, second] = wordBoxes(render(`one${lineBreak}two`).bytes);
      expect(second!.yMin - first!.yMin).toBeCloseTo(16, 1);
    },
  );

  it('[S1-25] keeps blank lines, loses indentation and runs of spaces', () => {
    const boxes = wordBoxes(render('one\n\n   two    three   \n').bytes);
    expect(boxes.map(({ word }) => word)).toEqual(['one', 'two', 'three']);
    expect(boxes[1]!.yMin - boxes[0]!.yMin).toBeCloseTo(32, 1);
    expect(boxes[1]!.xMin).toBeCloseTo(boxes[0]!.xMin, 1);
  });

  it('stands twice where a lone surrogate stood: as a box, and as U+FFFD when copied', () => {
    expect(textOf(render('some \ud800 more').bytes)).toBe('some \ufffd more');
  });

  it.each([
    ['[S1-29] capital Ws', 'W'.repeat(12_000)],
    ['one word of 12,000 characters', 'abcdefghijklmnopqrstuvwxyz'.repeat(500).slice(0, 12_000)],
    ['kerned pairs', 'AVToLT'.repeat(400)],
    ['a long address', `https://example.org/${'path-segment/'.repeat(60)}?q=${'x'.repeat(300)}`],
    ['ideographs', '中文'.repeat(800)],
    ['hyphens', 'a-'.repeat(2_000)],
    ['prose', 'The quick brown fox jumps over the lazy dog. '.repeat(120)],
  ])('stays inside the margins and loses nothing: %s', (_name, text) => {
    const { bytes } = render(text, text.slice(0, 160));
    const boxes = wordBoxes(bytes);
    expect(Math.max(...boxes.map(({ xMax }) => xMax))).toBeLessThanOrEqual(RIGHT_MARGIN_PT + 0.5);
    expect(Math.min(...boxes.map(({ xMin }) => xMin))).toBeGreaterThanOrEqual(56 - 0.5);
    expect(Math.max(...boxes.map(({ yMax }) => yMax))).toBeLessThan(842 - 40);
    const letters = (shown: string) => shown.normalize('NFC').replaceAll(/[\s-]+/gu, '');
    expect(letters(textOf(bytes)).length).toBe(letters(text.slice(0, 160).trimEnd() + text).length);
  });

  it('[S1-29] wraps a title of 160 characters', () => {
    const title = 'A rather long title that says much '.repeat(5).slice(0, 160);
    const { bytes } = render('Body.', title);
    expect(textOf(bytes)).toBe(`${title.trim()} Body.`);
  });

  it('comes back for any mixture of words', { timeout: 60_000 }, () => {
    const word = stringMatching(/^[A-Za-z0-9äöüßéñçλωжяд.,;:!?()'"€§→]{1,14}$/u);
    assert(
      property(array(word, { minLength: 1, maxLength: 60 }), (words) => {
        const text = words.join(' ');
        const squeezed = (shown: string) => shown.replaceAll(/\s+/gu, '');
        expect(squeezed(textOf(render(text).bytes))).toBe(squeezed(text));
      }),
      { numRuns: 40 },
    );
  });
});

describe('any text', () => {
  it('ends soon when a base has thousands of marks', () => {
    expect(render(`a${'\u0301'.repeat(11_990)} b`).pages).toBe(1);
  });

  it('is set without a throw, on at least one page', { timeout: 60_000 }, () => {
    assert(
      property(string({ unit: 'binary', maxLength: 200 }), string({ maxLength: 30 }), (text, title) => {
        expect(render(text, title).pages).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});
