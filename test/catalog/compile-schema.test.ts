import { describe, expect, it } from 'vitest';

import { createSchemaCompiler, type CompiledSchema } from '../../src/catalog/compile-schema.ts';
import type { JsonObject } from '../../src/core/json.ts';

const compile = createSchemaCompiler();

function faults(schema: JsonObject, args: JsonObject): string[] {
  const compiled = compile(schema);
  if (!compiled.ok) throw new Error(compiled.reason);
  return compiled.validate(args).map((fault) => `${fault.instancePath} ${fault.keyword}`);
}

function reason(compiled: CompiledSchema): string {
  return compiled.ok ? 'compiled' : compiled.reason;
}

function nest(levels: number, wrap: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < levels; level += 1) schema = wrap(schema);
  return { properties: { a: schema } };
}

describe('compileSchema', () => {
  it.each([
    ['null for a string', { s: null }, '/s type'],
    ['a number for a string', { s: 5 }, '/s type'],
    ['a string for an integer', { n: '5' }, '/n type'],
    ['null for an integer', { n: null }, '/n type'],
    ['a scalar for a list', { l: 'x' }, '/l type'],
    ['an unknown key', { extra: 1 }, ' additionalProperties'],
  ])('[D54] refuses %s and coerces nothing', (_what, args, expected) => {
    const schema = {
      type: 'object',
      properties: { s: { type: 'string' }, n: { type: 'integer', default: 3 }, l: { type: 'array' } },
      additionalProperties: false,
    };
    const given = structuredClone(args) as JsonObject;
    expect(faults(schema, given)).toEqual([expected]);
    expect(given).toEqual(args);
  });

  it('counts own properties only', () => {
    expect(faults({ type: 'object', required: ['toString'] }, {})).toEqual([' required']);
  });

  it('counts characters as code points', () => {
    const schema = { properties: { s: { type: 'string', maxLength: 3 } } };
    expect(faults(schema, { s: '😀😀😀' })).toEqual([]);
    expect(faults(schema, { s: '😀😀😀😀' })).toEqual(['/s maxLength']);
  });

  it.each(['^(a|a)*$', '((a+)+)+$'])('[D37] matches %s in linear time', (pattern) => {
    expect(faults({ properties: { s: { pattern } } }, { s: `${'a'.repeat(50_000)}!` })).toEqual([
      '/s pattern',
    ]);
  });

  it('[D37] refuses a pattern that only a backtracking engine takes and that explodes there', () => {
    expect(reason(compile({ properties: { s: { pattern: '(?<=x)(a+)+$' } } }))).toContain('exponential');
  });

  it('[D37] takes a look-around that is harmless', () => {
    const schema = { properties: { s: { pattern: '^(?!x)[a-z]+$' } } };
    expect(faults(schema, { s: 'abc' })).toEqual([]);
    expect(faults(schema, { s: 'xbc' })).toEqual(['/s pattern']);
  });

  it.each(['https://example.org/x.json', 'file:///etc/passwd', '#/missing', 'other.json#/a'])(
    '[D30] refuses the $ref %s and fetches nothing',
    ($ref) => {
      expect(reason(compile({ properties: { a: { $ref } } }))).toContain("can't resolve reference");
    },
  );

  it('[D29] follows a $ref inside the document', () => {
    expect(
      faults({ properties: { a: { type: 'integer' }, b: { $ref: '#/properties/a' } } }, { b: 'x' }),
    ).toEqual(['/b type']);
  });

  it('[D31] takes recursion through $defs', () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' } },
      additionalProperties: false,
    };
    expect(faults({ $ref: '#/$defs/node', $defs: { node } }, { next: { next: { x: 1 } } })).toEqual([
      '/next/next additionalProperties',
    ]);
  });

  it.each([
    { $ref: '#' },
    { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
  ])('[D31] refuses a schema that refers to itself without end: %j', (schema) => {
    expect(reason(compile(schema))).toBe('it refers to itself without end');
  });

  it.each([
    ['http://json-schema.org/draft-07/schema#', 'compiled'],
    ['https://json-schema.org/draft-07/schema', 'compiled'],
    ['http://json-schema.org/draft-06/schema#', 'compiled'],
    ['https://json-schema.org/draft/2019-09/schema', 'compiled'],
    ['https://json-schema.org/draft/2020-12/schema', 'compiled'],
    [
      'http://json-schema.org/draft-04/schema#',
      'its $schema "http://json-schema.org/draft-04/schema#" is not known',
    ],
    ['urn:mine', 'its $schema "urn:mine" is not known'],
  ])('[D33] knows its dialects: %s', ($schema, expected) => {
    expect(reason(compile({ $schema, type: 'object' }))).toBe(expected);
  });

  it('[D33] reads tuples as the dialect has them', () => {
    const items = [{ type: 'string' }];
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: { items } } };
    expect(faults(draft7, { a: [1] })).toEqual(['/a/0 type']);
    expect(faults({ properties: { a: { prefixItems: items } } }, { a: [1] })).toEqual(['/a/0 type']);
  });

  it('[D34] tolerates vendor keywords and unknown formats, and reports both', () => {
    const compiled = compile({ 'x-internal': 1, properties: { a: { format: 'nope' } } });
    expect(compiled.ok && compiled.findings.join('\n')).toMatch(/nope[\s\S]*x-internal/u);
  });

  it('keeps two schemas with one $id apart', () => {
    expect(
      faults({ $id: 'https://example.org/same', properties: { a: { type: 'string' } } }, { a: 1 }),
    ).toEqual(['/a type']);
    expect(
      faults({ $id: 'https://example.org/same', properties: { b: { type: 'string' } } }, { a: 1, b: 1 }),
    ).toEqual(['/b type']);
  });

  it('[D39] refuses combinators nested into an explosion', () => {
    const doubled = nest(12, (inner) => ({ anyOf: [inner, { ...inner, title: 'b' }] }));
    expect(reason(compile(doubled))).toContain('stand under anyOf');
  });

  it('[D40] refuses a schema that is nested too deep, without recursing', () => {
    expect(reason(compile(nest(20_000, (inner) => ({ properties: { a: inner } }))))).toContain(
      'deeper than 64',
    );
  });

  it('[D41] finds a repeated object among 20,000', () => {
    const items = Array.from({ length: 20_000 }, (_unused, id) => ({ id, b: 1 }));
    const schema = { properties: { l: { uniqueItems: true } } };
    expect(faults(schema, { l: items })).toEqual([]);
    expect(faults(schema, { l: [...items, { b: 1, id: 7 }] })).toEqual(['/l uniqueItems']);
  });

  it('[D42] takes 19.99 for a multiple of 0.01', () => {
    const schema = { properties: { m: { multipleOf: 0.01 } } };
    expect(faults(schema, { m: 19.99 })).toEqual([]);
    expect(faults(schema, { m: 19.995 })).toEqual(['/m multipleOf']);
  });

  it.each([{ type: 'string' }, { type: ['array', 'null'] }, { type: 'null' }])(
    '[D44] refuses a root that is no object: %j',
    (schema) => {
      expect(reason(compile(schema))).toContain('its root has type');
    },
  );

  it.each([{}, { type: ['object', 'null'] }, { properties: {} }])(
    '[D44] takes %j for an object',
    (schema) => {
      expect(faults(schema, { anything: 1 })).toEqual([]);
    },
  );

  it('refuses an asynchronous schema, whose answer would always look valid', () => {
    expect(reason(compile({ $async: true, type: 'object', required: ['a'] }))).toContain('asynchronous');
  });
});
