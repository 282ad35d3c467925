import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createOutputBuffer } from '../../../src/packages/run/output-buffer.ts';
import type { KeptOutput } from '../../../src/packages/run/run-result.ts';
import { MAX_TEXT_CHARACTERS, shapeOutput } from '../../../src/packages/run/shape-output.ts';
import { stripControlSequences } from '../../../src/packages/run/strip-control-sequences.ts';

function kept(bytes: Uint8Array | string, keepBytes = 1024 * 1024): KeptOutput {
  const buffer = createOutputBuffer(keepBytes);
  buffer.push(Buffer.from(bytes as string));
  return buffer.read();
}

describe('createOutputBuffer', () => {
  it('keeps all up to its limit, and beyond it two thirds from the start and one third from the end', () => {
    expect(kept('x'.repeat(30), 30)).toMatchObject({ totalBytes: 30, truncated: false });
    const over = kept(`${'a'.repeat(20)}!${'b'.repeat(10)}`, 30);
    expect(over).toMatchObject({ totalBytes: 31, truncated: true });
    expect(over.head.toString()).toBe('a'.repeat(20));
    expect(over.tail.toString()).toBe('b'.repeat(10));
  });

  it('keeps the same however its input is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 50 })),
        fc.integer({ min: 0, max: 60 }),
        (pieces, keepBytes) => {
          const buffer = createOutputBuffer(keepBytes);
          for (const piece of pieces) buffer.push(Buffer.from(piece));
          expect(buffer.read()).toEqual(kept(Buffer.concat(pieces), keepBytes));
        },
      ),
    );
  });

  it('keeps a start and an end of what passed, and knows how much passed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 250 }), (bytes, keepBytes) => {
        const all = Buffer.from(bytes);
        const { head, tail, totalBytes, truncated } = kept(all, keepBytes);
        expect(totalBytes).toBe(all.length);
        expect(truncated).toBe(all.length > keepBytes);
        expect(all.subarray(0, head.length)).toEqual(head);
        expect(all.subarray(all.length - tail.length)).toEqual(tail);
        expect(head.length + tail.length).toBe(Math.min(all.length, keepBytes));
      }),
    );
  });
});

describe('shapeOutput', () => {
  it('hands on text of the limit as it is, and one character more with a gap', () => {
    expect(shapeOutput(kept('x'.repeat(MAX_TEXT_CHARACTERS)))).toEqual({
      text: 'x'.repeat(MAX_TEXT_CHARACTERS),
      truncated: false,
      utf8Repaired: false,
    });
    const cut = shapeOutput(kept('x'.repeat(MAX_TEXT_CHARACTERS + 1)));
    expect(cut.truncated).toBe(true);
    expect(cut.text).toContain('characters left out here]');
  });

  it('counts characters, not UTF-16 units', () => {
    expect(shapeOutput(kept('😀'.repeat(MAX_TEXT_CHARACTERS))).truncated).toBe(false);
  });

  it('keeps two thirds from the start and one third from the end, in whole lines', () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
    const { text } = shapeOutput(kept(lines.join('\n')));
    const [start = '', end = ''] = text.split(/\[.* left out here\]\n/u);
    expect(start.length / end.length).toBeCloseTo(2, 1);
    for (const line of [...start.trimEnd().split('\n'), ...end.split('\n')]) expect(lines).toContain(line);
    expect(text.startsWith('line 0\n')).toBe(true);
    expect(text.endsWith('\nline 9999')).toBe(true);
  });

  it('is never longer than its limit, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 2_000 }),
        fc.integer({ min: 100, max: 1_000 }),
        (text, most) => {
          expect(Array.from(shapeOutput(kept(text, 700), most).text).length).toBeLessThanOrEqual(most);
        },
      ),
    );
  });

  it('repairs what is no UTF-8, and says so', () => {
    const shaped = shapeOutput(kept(Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a])));
    expect(shaped).toEqual({ text: 'caf\uFFFD\n', truncated: false, utf8Repaired: true });
  });

  it('does not call a character broken that only the cut has broken', () => {
    for (let keepBytes = 10; keepBytes < 40; keepBytes += 1) {
      const shaped = shapeOutput(kept('aé漢😀'.repeat(10), keepBytes));
      expect(shaped.utf8Repaired).toBe(false);
      expect(shaped.text).not.toContain('\uFFFD');
    }
  });

  it('hands on UTF-16 as repaired text without NUL', () => {
    const shaped = shapeOutput(kept(Buffer.from('\uFEFFhello', 'utf16le')));
    expect(shaped.utf8Repaired).toBe(true);
    expect(shaped.text).toContain('hello');
    expect(shaped.text).not.toContain('\0');
  });
});

describe('stripControlSequences', () => {
  it.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a window title', '\u001b]0;my title\u0007text', 'text'],
    ['a link', '\u001b]8;;https://x.example\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['a device control string', '\u001bPq#0\u001b\\text', 'text'],
    ['a C1 sequence', '\u009b2Jtext', 'text'],
    ['bell, backspace, NUL and DEL', 'a\u0007b\bc\0d\u007fe', 'abcde'],
    ['a progress line', '10 %\r20 %\r\ndone', '10 %\n20 %\ndone'],
    ['an unfinished title: only its start', '\u001b]0;all the rest stays', '0;all the rest stays'],
    ['tab and line feed: kept', 'a\tb\nc', 'a\tb\nc'],
    ['emoji and accents: kept', 'é 👩‍👩‍👧 漢', 'é 👩‍👩‍👧 漢'],
  ])('%s', (_what, dirty, clean) => {
    expect(stripControlSequences(dirty)).toBe(clean);
  });

  it('leaves no control character but tab and line feed', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\u0007', '\\', '\u009b', '\r', 'a', '\0'),
        }),
        (text) => {
          expect(stripControlSequences(text)).not.toMatch(/[^\P{Cc}\t\n]/u);
        },
      ),
    );
  });

  it.each(['\u001b]', '\u001b[;', '\u001b[0;', '\u001bP\u001b', '\u001b]0'])(
    'takes time in step with its input: %j many times',
    (piece) => {
      const started = performance.now();
      stripControlSequences(piece.repeat(300_000));
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );
});
