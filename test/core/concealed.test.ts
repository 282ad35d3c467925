import { describe, expect, it } from 'vitest';

import { describeConcealed, findConcealed } from '../../src/core/concealed.ts';

const tags = (text: string) =>
  Array.from(text, (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');

describe('findConcealed', () => {
  it('[D26] reports tag characters, zero-width and bidi controls with count and first offset', () => {
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
  });

  it.each([
    ['family joined', '👩‍👩‍👧‍👦'],
    ['skin tone and profession', '👩🏽‍💻'],
    ['heart on fire with selector', '❤️‍🔥'],
    ['rainbow flag', '🏳️‍🌈'],
    ['flag of Scotland', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['keycap', '1️⃣'],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Devanagari conjunct', 'क्‍ष'],
    ['Han variant', '葛\u{E0100}'],
    ['tabs and line breaks', 'a\tb\r\nc'],
  ])('[D26] does not flag %s', (_name, text) => {
    expect(findConcealed(text)).toEqual([]);
  });

  it('flags a joiner between Latin letters, a chain of selectors, and tags after a flag that never ends', () => {
    expect(findConcealed('a\u200Db')).toHaveLength(1);
    expect(findConcealed('x\uFE01\uFE02')[0]).toMatchObject({ count: 1, offset: 2 });
    expect(findConcealed(`\u{1F3F4}${tags('abcdefghij')}`)[0]?.count).toBe(10);
    expect(findConcealed('\u0007')[0]?.kind).toBe('control');
  });

  it('finds nothing in an empty text', () => {
    expect(describeConcealed(findConcealed(''))).toBe('');
  });
});
