import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BrokerError } from '../../../src/core/broker-error.ts';
import { decodeUtf8 } from '../../../src/http/json/decode-utf8.ts';
import { findJsonFault } from '../../../src/http/json/find-json-fault.ts';
import { readJsonBody, readJsonText } from '../../../src/http/json/read-json.ts';
import { scanShape } from '../../../src/http/json/scan-shape.ts';

const SOURCE = { what: 'The body', at: '' };

function refusalOf(read: () => unknown): BrokerError {
  try {
    read();
  } catch (error) {
    if (error instanceof BrokerError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const refuse = (text: string): BrokerError => refusalOf(() => readJsonText(text, SOURCE));
const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('reading JSON', () => {
  it.each([
    ['[D48] an integer of twenty digits', '{"n": 12345678901234567890}', '/n', 'line 1, column 7'],
    ['[D48] the first integer that a double skips', '{"n": 9007199254740993}', '/n', 'line 1, column 7'],
    ['[D48] a negative integer', '{"a":[1,\n-9007199254740993]}', '/a/1', 'line 2, column 1'],
    ['[D49] 1e999', '{"n": 1e999}', '/n', 'line 1, column 7'],
    ['[D49] -1e999', '[-1e999]', '/0', 'line 1, column 2'],
    ['[D49] four hundred digits', `[${'9'.repeat(400)}]`, '/0', 'line 1, column 2'],
    ['[D51] __proto__', '{"a": {"__proto__": {}}}', '/a/__proto__', 'line 1, column 8'],
    ['[D51] __proto__ with an escape', String.raw`{"\u005f_proto__": 1}`, '/__proto__', 'line 1, column 2'],
    [
      '[D51] constructor.prototype',
      '{"constructor": {"prototype": {}}}',
      '/constructor/prototype',
      'column 18',
    ],
    [
      '[D51] constructor.prototype with escapes',
      String.raw`{"constr\u0075ctor": {"prot\u006ftype": {}}}`,
      '/constructor/prototype',
      'column 23',
    ],
    ['a key that stands twice', '{"a": 1, "b": 2, "a": 3}', '/a', 'line 1, column 18'],
    ['a key that stands twice, once escaped', String.raw`{"a": 1, "\u0061": 3}`, '/a', 'line 1, column 10'],
    ['a key that stands twice far inside', '{"a/b": [{}, {"~": 1, "~": 2}]}', '/a~1b/1/~0', 'column 23'],
    ['an unpaired surrogate', String.raw`{"s": "\ud83d"}`, '/s', 'line 1, column 7'],
    ['an unpaired surrogate in a key', String.raw`{"\udc00": 1}`, '', 'line 1, column 2'],
  ])('refuses %s and says where', (...[, text, pointer, place]) => {
    const refusal = refuse(text);
    expect(refusal.code).toBe('INVALID_INPUT');
    expect(refusal.message).toContain(place);
    expect(refusal.facts.details?.[0]?.path).toContain(pointer);
    expect(Object.prototype).not.toHaveProperty('prototype');
  });

  it.each([
    ['NaN', '{"n": NaN}', 'line 1, column 7'],
    ['[D49] Infinity', '[Infinity]', 'line 1, column 2'],
    ['a trailing comma', '{"a": 1,}', 'line 1, column 9'],
    ['a comment', '{"a": 1 /* one */}', 'line 1, column 9'],
    ['single quotes', "{'a': 1}", 'line 1, column 2'],
    ['an open string', '{"a": "b', 'line 1'],
    ['two documents', '{} {}', 'line 1, column 4'],
    ['a raw control character', '{"a": "\u0001"}', 'line 1'],
    ['a leading zero', '[01]', 'line 1'],
    ['nothing', '', 'it is empty'],
    ['white space only', ' \n ', 'it is empty'],
    ['a byte order mark', '\uFEFF{}', 'byte order mark'],
  ])('refuses %s, which is no JSON', (_what, text, place) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(refuse(text).message).toContain(place);
  });

  it('takes 64 levels and refuses 65', () => {
    expect(readJsonText(nest(64), SOURCE)).toEqual(JSON.parse(nest(64)));
    expect(refuse(nest(65)).message).toContain(
      'line 1, column 65: arrays and objects are nested deeper than 64 levels',
    );
    const objects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(() => readJsonText(objects(64), SOURCE)).not.toThrow();
    expect(refuse(objects(65)).message).toContain('deeper than 64');
  });

  it('[D52] refuses 50,000 nested arrays, closed or not, without running out of stack', () => {
    expect(refuse(nest(50_000)).message).toContain('deeper than 64');
    expect(refuse('['.repeat(1_000_000)).message).toContain('deeper than 64');
    expect(refuse('{"a":'.repeat(50_000)).message).toContain('deeper than 64');
  });

  it('does not take brackets in strings for nesting', () => {
    const value = { a: '[{'.repeat(100), b: String.raw`\"[[[`, c: '"' + '['.repeat(100) };
    expect(readJsonText(JSON.stringify(value), SOURCE)).toEqual(value);
  });

  it('takes every integer that a double holds, whatever its size', () => {
    for (const text of [
      '9007199254740991',
      '9007199254740992',
      '-9007199254740994',
      '1000000000000000000000',
      '-0',
    ]) {
      expect(readJsonText(`[${text}]`, SOURCE)).toEqual([Number(text)]);
    }
  });

  it('puts the place of embedded text before the pointer', () => {
    const refusal = refusalOf(() =>
      readJsonText('{"n":1e999}', { what: 'The text in arguments', at: '/arguments' }),
    );
    expect(refusal.facts.details?.[0]?.path).toBe('/arguments/n');
    expect(refusal.message).toMatch(
      /^The text in arguments cannot be taken at line 1, column 6 \(\/arguments\/n\)/u,
    );
  });

  it('names the byte that is no UTF-8', () => {
    expect(refusalOf(() => readJsonBody(Buffer.from([0x22, 0xe9, 0x22]))).message).toBe(
      'The body is not UTF-8 at byte 1.',
    );
    expect(refusalOf(() => readJsonBody(Buffer.from([0xff, 0xfe, 0x7b, 0]))).message).toContain('at byte 0.');
  });
});

/** JSON text with the things that matter here, valid and not. */
const anyKey = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', 'prototype', '1', '"', '\\', '\u{1F600}'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const anyNumber = fc.oneof(
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom('1e308', '1e309', '9007199254740992', '9007199254740993', '1.5E+3', '-0'),
);
const escapeAll = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
const anyString = fc
  .tuple(fc.oneof(anyKey, fc.string({ unit: 'binary', maxLength: 5 })), fc.boolean())
  .map(([text, escaped]) => (escaped ? escapeAll(text) : JSON.stringify(text)));
const { text: anyText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    anyNumber,
    anyString,
    fc.constantFrom('true', 'null', '"\\ud800"'),
    fc.array(tie('text'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
    fc
      .array(fc.tuple(anyString, tie('text')), { maxLength: 4 })
      .map((members) => `{${members.map(([key, value]) => `${key}: ${value}`).join(',\n')}}`),
  ),
}));

describe('reading JSON, whatever it is', () => {
  /** Throws what is no refusal. */
  const isRefused = (read: () => unknown): boolean => {
    try {
      read();
      return false;
    } catch (error) {
      if (error instanceof BrokerError && error.code === 'INVALID_INPUT') return true;
      throw error;
    }
  };
  const isAccepted = (text: string): boolean => !isRefused(() => readJsonText(text, SOURCE));

  it('gives exactly what JSON.parse gives, whenever it gives anything', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(!isAccepted(text) || isDeepStrictEqual(readJsonText(text, SOURCE), JSON.parse(text))).toBe(
          true,
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('skips the full check only where that check would find nothing', () => {
    let skipped = 0;
    fc.assert(
      fc.property(anyText, (text) => {
        const fault = findJsonFault(text);
        expect(isAccepted(text)).toBe(fault === undefined);
        if (!scanShape(text).needsFullCheck) skipped += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(skipped).toBeGreaterThan(300);
  });

  it('takes whatever JSON.stringify writes of plain data that doubles hold', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        if (/__proto__|prototype|\\ud[89a-f]/u.test(text)) return;
        expect(readJsonText(text, SOURCE)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('answers any text and any bytes with a value or a refusal, never with another error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void isAccepted(text)));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const outcome = isRefused(() => readJsonBody(Buffer.from(bytes)));
        expect(typeof outcome).toBe('boolean');
      }),
    );
  });

  it('names the same byte as a strict decoder that is fed byte by byte', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(0xff, 0xc3, 0xe2, 0x82, 0xf0),
            fc.constant([0xef, 0xbf, 0xbd]),
            fc.constant(0x41),
          ),
        ),
        (parts) => {
          const bytes = Buffer.from(parts.flat());
          const decoded = decodeUtf8(bytes);
          const isValid = (end: number): boolean => {
            try {
              return (
                new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end)) !==
                undefined
              );
            } catch {
              return false;
            }
          };
          expect(decoded.ok).toBe(isValid(bytes.length));
          expect(isValid(decoded.ok ? 0 : decoded.byteOffset)).toBe(true);
          expect(decoded.ok ? Buffer.from(decoded.text) : bytes).toEqual(bytes);
        },
      ),
    );
  });
});
