import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.ts';
import { useEverywhere } from './use-everywhere.ts';

describe('schemas of unusual size', () => {
  const properties = (count: number, schema: JsonObject): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`property_${index}`, schema]));

  it.each([
    [
      '5,000 properties',
      {
        type: 'object',
        properties: properties(5_000, { type: 'string', maxLength: 5 }),
        additionalProperties: false,
      },
    ],
    [
      '1 MB of enum',
      {
        type: 'object',
        properties: { a: { enum: Array.from({ length: 60_000 }, (_, index) => `value number ${index}`) } },
        required: ['a'],
      },
    ],
    [
      '1 MB of description',
      { type: 'object', properties: { a: { type: 'string', description: 'word '.repeat(200_000) } } },
    ],
    [
      '400 forms that refer to each other',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/n0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 400 }, (_, index) => [
            `n${index}`,
            {
              anyOf: [
                { $ref: `#/$defs/n${(index * 7 + 1) % 400}` },
                { $ref: `#/$defs/n${(index * 3 + 2) % 400}` },
                { type: 'null' },
              ],
            },
          ]),
        ),
      },
    ],
    [
      'a doubling chain of references',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/n0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 40 }, (_, index) => [
            `n${index}`,
            index === 39
              ? { type: 'integer' }
              : {
                  type: 'object',
                  properties: { l: { $ref: `#/$defs/n${index + 1}` }, r: { $ref: `#/$defs/n${index + 1}` } },
                },
          ]),
        ),
      },
    ],
    [
      'a doubling allOf',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/n0' } },
        $defs: Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [
            `n${index}`,
            index === 29
              ? { type: 'integer' }
              : { allOf: [{ $ref: `#/$defs/n${index + 1}` }, { $ref: `#/$defs/n${index + 1}` }] },
          ]),
        ),
      },
    ],
    [
      'a required member that contains itself',
      { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] },
    ],
    ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } } }],
  ])('are no trouble: %s', (_, inputSchema) => {
    const started = performance.now();
    useEverywhere(inputSchema);
    // A hang guard, many times what it takes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('are no trouble when nested 500 deep', () => {
    let inputSchema: JsonObject = { type: 'string' };
    for (let depth = 0; depth < 500; depth += 1)
      inputSchema = { type: 'object', properties: { a: inputSchema }, required: ['a'] };
    expect(() => useEverywhere(inputSchema)).not.toThrow();
  });

  it('are no trouble in shapes that are no schemas at all', () => {
    const keywords = fc.constantFrom(
      'type',
      'properties',
      'required',
      'anyOf',
      'oneOf',
      'allOf',
      'items',
      'enum',
      'const',
      '$ref',
      '$defs',
      'prefixItems',
      'additionalProperties',
      'examples',
      'default',
      'minimum',
      'pattern',
      'format',
      'description',
      'nullable',
      'dependencies',
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, false, 5, '', 'object', '#/a'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(keywords, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(keywords, value), (inputSchema) => {
        expect(() => useEverywhere(inputSchema as JsonObject)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
