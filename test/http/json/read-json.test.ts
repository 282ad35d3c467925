import { describe, expect, it } from 'vitest';

import { BrokerError } from '../../../src/core/broker-error.ts';
import { readJsonBody, readJsonText } from '../../../src/http/json/read-json.ts';

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
const refusesOrTakes = (text: string): void => {
  try {
    readJsonText(text, SOURCE);
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
  }
};
const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('reading JSON', () => {
  it.each([
    ['[D48] an integer of twenty digits', '{"n": 12345678901234567890}', '/n', 'line 1, column 7'],
    ['[D48] the first integer that a double skips', '{"n": 9007199254740993}', '/n', 'line 1, column 7'],
    [
      '[D48] one that a double holds and writes otherwise',
      '[37978583725351048]',
      '/0',
      'become 37978583725351050',
    ],
    [
      '[D48] one that is written the same and held otherwise',
      '[37978583725351050]',
      '/0',
      'become 37978583725351048',
    ],
    ['[D48] one in the range of exponents', '[1000000000000000000001]', '/0', 'line 1, column 2'],
    ['[D48] a negative integer', '{"a":[1,\n-9007199254740993]}', '/a/1', 'line 2, column 1'],
    ['[D48] an integer with a fraction of zeros', '[12345678901234567891.0]', '/0', 'line 1, column 2'],
    ['[D48] an integer with an exponent', '{"n":1.2345678901234567891e19}', '/n', 'line 1, column 6'],
    ['[D48] an integer with an exponent below zero', '[-90071992547409930E-1]', '/0', 'line 1, column 2'],
    ['[D48] 37978583725351050.0', '[37978583725351050.0]', '/0', 'become 37978583725351048'],
    ['[D49] 1e-999, which would be 0', '{"n":-1e-999}', '/n', 'too small to be told from 0'],
    ['[D49] a fraction that would be 0', `[0.${'0'.repeat(400)}1]`, '/0', 'too small to be told from 0'],
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

  it('takes every integer that a double holds and writes with the same digits', () => {
    for (const text of [
      '9007199254740991',
      '9007199254740992',
      '-9007199254740994',
      '-2000000000000000000000',
      '1000000000000000000000',
      '-0',
    ]) {
      expect(readJsonText(`[${text}]`, SOURCE)).toEqual([Number(text)]);
    }
  });

  it.each([
    '1.0',
    '1e3',
    '0.1',
    '1e-300',
    '-0.0',
    '0e-999',
    '0.000',
    '1e23',
    '1.7976931348623157e308',
    '9007199254740992.0',
    `1${'0'.repeat(400)}e-400`,
    '3.14159265358979323846',
  ])('takes %s', (text) => {
    expect(readJsonText(`[${text}]`, SOURCE)).toEqual([Number(text)]);
  });

  it('looks at a number of a million digits at once', () => {
    for (const text of [
      `0.${'0'.repeat(500_000)}1${'0'.repeat(500_000)}1`,
      `1.${'0'.repeat(1_000_000)}1e-9`,
    ]) {
      const started = performance.now();
      refusesOrTakes(`[${text}]`);
      expect(performance.now() - started).toBeLessThan(2_000);
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
