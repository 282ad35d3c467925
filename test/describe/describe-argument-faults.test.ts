import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.ts';
import { describeArgumentFaults } from '../../src/describe/describe-argument-faults.ts';
import { detailsOf, faultsOf, specOf } from './specs.ts';

describe('one fault', () => {
  it.each([
    [
      { n: { type: 'integer', maximum: 10 } },
      { n: '5' },
      '/n: Received the string "5". Expected integer, at most 10. Send 5.',
    ],
    [
      { n: { type: 'integer', maximum: 10 } },
      { n: 11 },
      '/n: Received the integer 11. Expected integer, at most 10. For example: 10.',
    ],
    [{ n: { type: 'string' } }, { n: 5 }, '/n: Received the integer 5. Expected string. Send "5".'],
    [{ n: { type: 'boolean' } }, { n: 'yes' }, '/n: Received the string "yes". Expected boolean. Send true.'],
    [{ n: { type: 'string' } }, { n: null }, '/n: Received null. Expected string. For example: "text".'],
    [
      { n: { enum: ['concise', 'detailed'] } },
      { n: 'detaild' },
      '/n: Received the string "detaild". Expected one of "concise", "detailed". Did you mean "detailed"?',
    ],
    [
      { n: { type: 'string', maxLength: 3 } },
      { n: 'abcd' },
      '/n: Received 4 characters: "abcd". Expected string, at most 3 characters. Shorten it to 3 characters.',
    ],
    [
      { n: { type: 'string', format: 'date' } },
      { n: '1.2.2026' },
      '/n: Received the string "1.2.2026". Expected string, format date (YYYY-MM-DD). For example: "2026-01-31".',
    ],
    [
      { n: { type: 'string', pattern: '^CUST-\\d{6}$' } },
      { n: 'x' },
      '/n: Received the string "x". Expected string, matching `^CUST-\\d{6}$`. For example: "CUST-000000".',
    ],
    [
      { n: { type: 'array', items: { type: 'string' } } },
      { n: 'a' },
      '/n: Received the string "a". Expected array of string. Send ["a"].',
    ],
    [
      { n: { type: 'object', properties: { a: {} } } },
      { n: '{"a":1}' },
      '/n: Received the string "{\\"a\\":1}". Expected object. This is JSON inside a string. Send the value itself, without quotes around it.',
    ],
    [
      { n: { type: 'array', uniqueItems: true } },
      { n: [1, 2, 1] },
      '/n: 1 of 3 items repeat an earlier one. Expected no item twice. Send [1,2].',
    ],
    [
      { limit: {} },
      { limitt: 1 },
      '/limitt: Unknown argument "limitt". Rename it to "limit". Known here: "limit".',
    ],
    [{ limit: {} }, { zzzzzzz: 1 }, '/zzzzzzz: Unknown argument "zzzzzzz". Remove it. Known here: "limit".'],
    [
      { 'a/b~c': { type: 'string' } },
      { 'a/b~c': 1 },
      '/a~1b~0c: Received the integer 1. Expected string. Send "1".',
    ],
  ])('%j with %j', (properties, args, expected) => {
    expect(detailsOf(properties, args)).toEqual([expected]);
  });

  it('of a missing argument names it, what it must be and a value', () => {
    const result = faultsOf(
      { type: 'object', properties: { id: { type: 'string', examples: ['CUST-000001'] } }, required: ['id'] },
      {},
    );
    expect(result).toEqual({
      message: '/id: Missing. Expected string. For example: "CUST-000001".',
      details: [{ path: '/id', message: 'Missing. Expected string. For example: "CUST-000001".' }],
      expectedFormat: 'string',
      example: { id: 'CUST-000001' },
    });
  });

  it('of a misspelt required argument is one entry, not two', () => {
    expect(detailsOf({ limit: {} }, { limt: 1 }, { required: ['limit'] })).toEqual([
      '/limt: Unknown argument "limt". Rename it to "limit". Known here: "limit".',
    ]);
  });

  it('of a misspelt argument is found in an object that takes any name', () => {
    const details = detailsOf(
      { section: { type: 'string' } },
      { sektion: 'x' },
      { required: ['section'], additionalProperties: true },
    );
    expect(details).toEqual([
      '/sektion: Unknown argument "sektion"; the required "section" is missing. Rename it to "section". Known here: "section".',
    ]);
  });

  it('of an argument at the wrong depth says where it belongs', () => {
    const properties = {
      where: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      },
      n: {},
    };
    expect(detailsOf(properties, { where: {}, city: 'Bonn' })).toEqual([
      '/city: The required "city" stands at the wrong place. Move it to /where/city.',
    ]);
    expect(detailsOf(properties, { where: { city: 'Bonn', n: 1 } })).toEqual([
      '/where/n: Unknown argument "n". Move it to /n. Known here: "city".',
    ]);
  });

  it('of arguments in a box is the box', () => {
    expect(
      detailsOf({ a: { type: 'string' }, b: {} }, { arguments: { a: 'x' } }, { required: ['a'] }),
    ).toEqual(['/arguments: Unknown argument "arguments" around the others. Move its members one level up.']);
  });

  it('[S3.3-4] never shows more than a little of what was sent, and nothing concealed', () => {
    const [detail] = detailsOf({ n: { type: 'integer' } }, { n: `\u202E\u{E0041}${'x'.repeat(100_000)}` });
    expect(detail).toContain('\\u{202e}\\u{e0041}xxx');
    expect(detail!.length).toBeLessThan(250);
  });
});

describe('the whole answer', () => {
  it('has an example that is valid: the first valid one of the tool, else one that is made', () => {
    const inputSchema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 7 } },
      required: ['n'],
    };
    const given = (examples: JsonObject[]) =>
      describeArgumentFaults(
        specOf({
          inputSchema: { ...inputSchema },
          examples: examples.map((one) => ({ input: '', arguments: one })),
        }),
        {},
        [],
      ).example;
    expect(given([])).toEqual({ n: 7 });
    expect(given([{ n: 1 }, { n: 9 }])).toEqual({ n: 9 });
  });

  it('leaves the example out when none is sure to be valid', () => {
    expect(
      faultsOf(
        { type: 'object', properties: { a: { type: 'string', pattern: '^(?=x)(?!x)' } }, required: ['a'] },
        {},
      ),
    ).not.toHaveProperty('example');
  });

  it('holds at most 50 details', () => {
    const faults = Array.from({ length: 80 }, (_, index) => ({
      instancePath: '',
      schemaPath: '',
      keyword: 'required',
      params: { missingProperty: `p${index}` },
      message: 'm',
    }));
    const inputSchema = { type: 'object', required: faults.map((one) => one.params.missingProperty) };
    expect(describeArgumentFaults(specOf({ inputSchema }), {}, faults.slice(0, 50)).details).toHaveLength(50);
    expect(describeArgumentFaults(specOf({ inputSchema }), {}, faults).details).toHaveLength(50);
  });

  it('never throws, whatever a validator reports', () => {
    const fault = fc.record({
      instancePath: fc.constantFrom('', '/a', '/a/0', '/__proto__', '/x~1y'),
      schemaPath: fc.string(),
      keyword: fc.constantFrom(
        'required',
        'type',
        'anyOf',
        'oneOf',
        'not',
        'contains',
        'propertyNames',
        'uniqueItems',
        'dependentRequired',
        'false schema',
        'if',
        'odd',
      ),
      params: fc.constantFrom(
        {},
        { missingProperty: 'b' },
        { additionalProperty: 'constructor' },
        { passingSchemas: [0, 9] },
        { passingSchemas: null },
        { limit: 1 },
      ),
      message: fc.string(),
    });
    const inputSchema = {
      properties: { a: { anyOf: [{ type: 'string' }, { items: {} }] } },
      oneOf: [{ required: ['b'] }],
    } as unknown as JsonObject;
    fc.assert(
      fc.property(fc.array(fault, { minLength: 1 }), (faults) => {
        const result = describeArgumentFaults(specOf({ inputSchema }), { a: [1] }, faults);
        expect(result.details.length > 0 || faults.every((one) => one.keyword === 'if')).toBe(true);
      }),
    );
  });
});
