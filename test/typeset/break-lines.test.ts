import { array, assert, property, stringMatching } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakLines } from '../../src/typeset/break-lines.ts';
import { openFaces } from '../../src/typeset/faces.ts';
import { lineWidth } from '../../src/typeset/line-filler.ts';
import { createUndrawnTally } from '../../src/typeset/undrawn.ts';

const faces = openFaces();
const style = { sizePt: 11, bold: false, italic: false, code: false };
const WIDTH_PT = 200;

function broken(...texts: string[]) {
  const setting = { faces, undrawn: createUndrawnTally() };
  return breakLines(
    texts.map((text) => ({ text, style })),
    WIDTH_PT,
    setting,
  );
}

const shown = (...texts: string[]) =>
  broken(...texts).map((line) => line.map(({ text, boxed }) => boxed?.join('') ?? text).join(''));

describe('breakLines', () => {
  it('gives one empty line for no text', () => {
    expect(shown('')).toEqual(['']);
  });

  it('breaks at spaces and not after hyphens', () => {
    const lines = shown('a well-known fox is '.repeat(40));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) expect(line).toMatch(/[a-z] $/u);
  });

  it('does not break a word that goes on in another style', () => {
    const lines = shown('aaaaaaaaaaaaaaaaaaaaaaaaa bbb', 'ccc', 'ddd');
    expect(lines).toEqual(['aaaaaaaaaaaaaaaaaaaaaaaaa ', 'bbbcccddd']);
  });

  it('starts a word wider than a line on a line of its own, breaks it at a slash and cuts what remains', () => {
    const lines = shown(`see https://example.org/${'a'.repeat(20)}/${'b'.repeat(60)} end`);
    expect(lines[0]).toBe('see ');
    expect(lines[1]).toMatch(/\/$/u);
    expect(lines.join('')).toBe(`see https://example.org/${'a'.repeat(20)}/${'b'.repeat(60)} end`);
  });

  it('keeps graphemes whole when it cuts', () => {
    const grapheme = 'x\u0323\u0301';
    for (const line of shown(grapheme.repeat(200))) expect(line).toMatch(/^(?:x\u0323\u0301)+$/u);
  });

  it('shows one box for a joined emoji and cuts between boxes', () => {
    const family = '👨\u200d👩\u200d👧';
    for (const line of broken(family.repeat(100))) {
      for (const { text, boxed } of line) expect(Array.from(text)).toHaveLength(boxed?.length ?? -1);
    }
    expect(shown(family.repeat(100)).join('')).toBe(family.repeat(100));
  });

  it('never makes a line wider than it may be, and loses nothing', () => {
    const word = stringMatching(/^[A-Za-zÀ-ÿα-ωа-я0-9.,/-]{1,60}$/u);
    assert(
      property(array(word, { maxLength: 40 }), (words) => {
        const text = words.join(' ').normalize('NFC');
        for (const line of broken(text)) expect(lineWidth(line)).toBeLessThanOrEqual(WIDTH_PT + 1e-6);
        expect(shown(text).join('')).toBe(text);
      }),
    );
  });
});
