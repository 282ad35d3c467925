import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readJsonOutput } from '../../../src/packages/run/read-json-output.ts';

describe('readJsonOutput', () => {
  it.each([
    ['an object', '{"a": [1, 2.5, null, "x"]}', { a: [1, 2.5, null, 'x'] }],
    ['an array', '[1]', [1]],
    ['one BOM and white space around it', '\uFEFF \n{"a": 1}\r\n', { a: 1 }],
    ['the largest exact integer', '[9007199254740992]', [9007199254740992]],
    ['the same key in two objects', '[{"a": 1}, {"a": 2}]', [{ a: 1 }, { a: 2 }]],
  ])('%s is data', (_what, text, value) => {
    expect(readJsonOutput(text)).toEqual(value);
  });

  it.each([
    ['nothing', ''],
    ['a scalar', '"x"'],
    ['a number', '3'],
    ['a banner before it', 'Welcome\n{"a": 1}'],
    ['a line after it', '{"a": 1}\nBye'],
    ['two documents', '{"a": 1}{"b": 2}'],
    ['one document a line', '{"a": 1}\n{"b": 2}'],
    ['a trailing comma', '{"a": 1,}'],
    ['a comment', '{"a": 1 /* one */}'],
    ['NaN', '{"a": NaN}'],
    ['Infinity', '[Infinity]'],
    ['a number that overflows', '[1e999]'],
    ['an integer that a double cannot hold', '[9007199254740993]'],
    ['a key twice', '{"a": 1, "a": 2}'],
    ['a key twice, once escaped', '{"a": 1, "\\u0061": 2}'],
    ['__proto__', '{"__proto__": {}}'],
    ['two BOMs', '\uFEFF\uFEFF{"a": 1}'],
    ['undefined', 'undefined'],
    ['single quotes', "{'a': 1}"],
    ['an unfinished document', '{"a": [1'],
  ])('%s is text', (_what, text) => {
    expect(readJsonOutput(text)).toBeUndefined();
  });

  it('takes 64 levels and not 65', () => {
    expect(readJsonOutput('['.repeat(64) + ']'.repeat(64))).toBeDefined();
    expect(readJsonOutput('['.repeat(65) + ']'.repeat(65))).toBeUndefined();
  });

  it('takes 30,000 characters and not one more', () => {
    const wrap = (length: number): string => `["${'x'.repeat(length - 4)}"]`;
    expect(readJsonOutput(wrap(30_000))).toBeDefined();
    expect(readJsonOutput(wrap(30_001))).toBeUndefined();
  });

  it('gives back what any JSON object was', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__') && text.length < 30_000);
        expect(readJsonOutput(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
