import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  describeConcealed,
  findConcealed,
  replaceConcealed,
  stripConcealed,
} from '../../src/core/concealed.ts';

const tags = (text: string) =>
  Array.from(text, (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');

describe('concealed characters', () => {
  it('[D26] are told by kind, with count and first offset', () => {
    const runs = findConcealed(`ab${tags('run')}c\u200Bd\u200Be\u2066f\u2069\u202Eg`);
    expect(runs).toEqual([
      { kind: 'tag character', count: 3, offset: 2 },
      { kind: 'zero-width', count: 2, offset: 9 },
      { kind: 'bidi control', count: 3, offset: 13 },
    ]);
    expect(describeConcealed(runs)).toBe(
      '3 tag characters, the first at offset 2; 2 zero-width characters, the first at offset 9; ' +
        '3 bidi control characters, the first at offset 13',
    );
    expect(describeConcealed(findConcealed(''))).toBe('');
  });

  it.each([
    ['tag characters', `a\u{E0001}${tags('AB')}b`, { kind: 'tag character', offset: 1, count: 3 }],
    ['a zero-width space', 'a\u200Bb', { kind: 'zero-width', offset: 1, count: 1 }],
    ['a byte order mark inside', 'a\uFEFFb', { kind: 'zero-width', offset: 1, count: 1 }],
    ['a joiner between Latin letters', 'a\u200Db', { kind: 'zero-width', offset: 1, count: 1 }],
    ['direction overrides', '\u202Eabc\u202C', { kind: 'bidi control', offset: 0, count: 2 }],
    ['isolates', '\u2066x\u2069', { kind: 'bidi control', offset: 0, count: 2 }],
    ['control characters', 'a\u0000\u001Bb', { kind: 'control', offset: 1, count: 2 }],
    ['half a character', 'a\uD800b', { kind: 'control', offset: 1, count: 1 }],
    ['blank fillers', 'a\u3164b', { kind: 'filler', offset: 1, count: 1 }],
    ['data in selectors', 'a\uFE0F\u{E0100}\u{E0101}', { kind: 'variation selector', offset: 1, count: 3 }],
    ['a chain of selectors', '❤\uFE0F\uFE01\uFE02', { kind: 'variation selector', offset: 2, count: 2 }],
    [
      'tags behind a flag that is none',
      `\u{1F3F4}${tags('hi\u007F')}`,
      { kind: 'tag character', offset: 2, count: 3 },
    ],
    [
      'tags behind a flag that never ends',
      `\u{1F3F4}${tags('abcdefghij')}`,
      { kind: 'tag character', offset: 2, count: 10 },
    ],
  ])('[D26] are found: %s', (_name, text, expected) => {
    expect(findConcealed(text)).toEqual([expected]);
    expect(findConcealed(stripConcealed(text))).toEqual([]);
  });

  it.each([
    ['a profession', '👩‍💻'],
    ['a family joined', '👩‍👩‍👧‍👦'],
    ['skin tone and profession', '👩🏽‍🚀'],
    ['heart on fire with selector', '❤️‍🔥'],
    ['a heart', '❤️'],
    ['a symbol in emoji style that has none', '→\uFE0F'],
    ['rainbow flag', '🏳️‍🌈'],
    ['flag of Scotland', `\u{1F3F4}${tags('gbsct\u007F')}`],
    ['keycap', '1️⃣'],
    ['a sign', '©️'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Devanagari conjunct', 'क्‍ष'],
    ['Han variant', '葛\u{E0100}'],
    ['a full stop placed as in Taiwan', '。\uFE01'],
    ['tabs and line breaks', 'tab\tand\r\nlines'],
  ])('[D26] are none: %s', (_name, text) => {
    expect(findConcealed(text)).toEqual([]);
    expect(stripConcealed(text)).toBe(text);
  });

  it('are all gone after stripping, whatever the text', () => {
    const units = [
      'a',
      '👩',
      '\u200D',
      '\uFE0F',
      '\u200B',
      '\u{E0041}',
      '\u{1F3F4}',
      '\u{E007F}',
      '\u0627',
      '\u202E',
      '\uD800',
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...units) }), (text) => {
        expect(findConcealed(stripConcealed(text))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('can be replaced one by one, with all else as it was', () => {
    expect(replaceConcealed('👩‍💻 a\u200Bb', (_character, { kind, offset }) => `[${kind} ${offset}]`)).toBe(
      '👩‍💻 a[zero-width 7]b',
    );
  });
});
