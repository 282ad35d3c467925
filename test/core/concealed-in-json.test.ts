import { describe, expect, it } from 'vitest';

import { findConcealedInJson } from '../../src/core/concealed-in-json.ts';

describe('a JSON value with concealed characters', () => {
  it.each([
    ['a text', { a: ['x', 'y\u200B'] }, '/a/1', '1 zero-width character, at offset 1'],
    ['a member name', { a: { 'b/c\u202E': 1 } }, '/a/b~1c\u202E', '1 bidi control character, at offset 3'],
    ['a text that is all', '\u0007', '', '1 control character, at offset 0'],
    ['the first of two', { a: '\u200B', b: '\u0007' }, '/a', '1 zero-width character, at offset 0'],
  ])('is told by its place: %s', (_name, value, ...expected) => {
    const found = findConcealedInJson(value);
    expect([found?.pointer, found?.told]).toEqual(expected);
  });

  it.each([
    ['emoji that are joined', { '👩‍💻': '👨‍👩‍👧‍👦 ❤️' }],
    ['line breaks', { text: 'a\n\tb' }],
    ['no text', { a: [1, null, true, {}] }],
  ])('is not one for %s', (_name, value) => {
    expect(findConcealedInJson(value)).toBeUndefined();
  });

  it('is looked through however deep it is', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}"\\u200B"${']'.repeat(20_000)}`);
    expect(findConcealedInJson(deep)?.told).toBe('1 zero-width character, at offset 0');
  });
});
