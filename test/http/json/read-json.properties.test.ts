import { isDeepStrictEqual } from 'node:util';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BrokerError } from '../../../src/core/broker-error.ts';
import { decodeUtf8 } from '../../../src/http/json/decode-utf8.ts';
import { findJsonFault } from '../../../src/http/json/find-json-fault.ts';
import { readJsonBody, readJsonText } from '../../../src/http/json/read-json.ts';
import { scanShape } from '../../../src/http/json/scan-shape.ts';

const SOURCE = { what: 'The body', at: '' };

/** JSON text with the things that matter here, valid and not. */
const anyKey = fc.oneof(
  fc.constantFrom('a', 'b', '__proto__', 'constructor', 'prototype', '1', '"', '\\', '\u{1F600}'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);
const anyNumber = fc.oneof(
  fc.integer().map(String),
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '1e308',
    '1e309',
    '9007199254740992',
    '9007199254740993',
    '1.5E+3',
    '-0',
    '1e-999',
    '12345678901234567891.0',
  ),
  fc
    .tuple(fc.bigInt(), fc.integer({ min: -400, max: 310 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`),
  fc.tuple(fc.bigInt(), fc.nat(30)).map(([whole, zeros]) => `${whole}.${'0'.repeat(zeros + 1)}`),
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

  it('[D48] gives exactly what JSON.parse gives, whenever it gives anything', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(!isAccepted(text) || isDeepStrictEqual(readJsonText(text, SOURCE), JSON.parse(text))).toBe(
          true,
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('[D48] takes an integer, however it is written, only if it is written the same again', () => {
    const below = 10n ** 21n;
    fc.assert(
      fc.property(
        fc.bigInt({ min: -below + 1n, max: below - 1n }),
        fc.integer({ min: 1, max: 30 }),
        (wanted, zeros) => {
          const isKept = String(Number(wanted)) === String(wanted);
          const digits = String(wanted).replace('-', '');
          const sign = wanted < 0n ? '-' : '';
          const scientific = `${sign}${digits[0]}.${digits.slice(1)}0e${digits.length - 1}`;
          expect(isAccepted(scientific)).toBe(isKept);
          expect(isAccepted(`${wanted}${wanted === 0n ? '' : '0'.repeat(zeros)}e-${zeros}`)).toBe(isKept);
          expect(isAccepted(`${wanted}.${'0'.repeat(zeros)}`)).toBe(isAccepted(String(wanted)));
        },
      ),
      { numRuns: 1_000 },
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
        if (/__proto__|prototype|\\ud[89a-f]|\d{16}/u.test(text)) return;
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
