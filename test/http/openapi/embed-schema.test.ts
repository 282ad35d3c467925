import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../../src/core/json.ts';
import { embedSchema } from '../../../src/http/openapi/embed-schema.ts';

const embed = (schema: JsonObject): Readonly<Record<string, unknown>> =>
  embedSchema(schema, 't.arguments').components;
const at = (key: string): object => ({ $ref: `#/components/schemas/${key}` });

describe('a schema inside the OpenAPI document', () => {
  it('has its definitions as components and every reference turned to them', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.org/tree',
      type: 'object',
      properties: {
        node: { $ref: '#/$defs/node' },
        self: { $ref: '#' },
        again: { $ref: '#/properties/node' },
      },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    };
    expect(embed(schema)).toEqual({
      't.arguments': {
        type: 'object',
        properties: {
          node: at('t.arguments.node'),
          self: at('t.arguments'),
          again: at('t.arguments/properties/node'),
        },
      },
      't.arguments.node': { type: 'object', properties: { next: at('t.arguments.node') } },
    });
  });

  it('tells by position what is a reference: members, constants and examples are left alone', () => {
    const schema = {
      properties: {
        $ref: { type: 'string' },
        $defs: { const: { $ref: '#/a' } },
        definitions: { enum: [{ $ref: '#/b' }], default: { $ref: '#' }, examples: [{ $id: 'x', $ref: '#' }] },
      },
      required: ['$ref'],
    };
    expect(embed(schema)).toEqual({ 't.arguments': schema });
  });

  it('follows anchors, identifiers and references that draft 2019-09 and 2020-12 write otherwise', () => {
    const schema = {
      $id: 'https://example.org/root',
      properties: {
        a: { $ref: '#here' },
        b: { $dynamicRef: '#there' },
        c: { $recursiveRef: '#' },
        d: { $ref: 'https://example.org/root#/$defs/x' },
        e: { $ref: 'child' },
        f: { $id: 'child', $defs: { y: true }, $ref: '#/$defs/y' },
      },
      $defs: { x: { $anchor: 'here', type: 'string' }, z: { $dynamicAnchor: 'there', type: 'number' } },
    };
    const { properties } = embed(schema)['t.arguments'] as { properties: Record<string, unknown> };
    expect(properties).toEqual({
      a: at('t.arguments.x'),
      b: at('t.arguments.z'),
      c: at('t.arguments'),
      d: at('t.arguments.x'),
      e: at('t.arguments/properties/f'),
      f: { $defs: { y: true }, ...at('t.arguments/properties/f/$defs/y'.replace('$', '%24')) },
    });
  });

  it('escapes names, keeps both kinds of definitions and gives each a name of its own', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/a~1b%20c' }, d: { $ref: '#/definitions/a_b_c/properties/x~0y' } },
      $defs: { 'a/b c': { type: 'string' } },
      definitions: { a_b_c: { properties: { 'x~y': true } } },
    };
    expect(embed(schema)).toEqual({
      't.arguments': {
        properties: { a: at('t.arguments.a_b_c'), d: at('t.arguments.a_b_c_2/properties/x~0y') },
      },
      't.arguments.a_b_c': { type: 'string' },
      't.arguments.a_b_c_2': { properties: { 'x~y': true } },
    });
  });

  it('leaves out a reference that leads nowhere', () => {
    expect(embed({ properties: { a: { $ref: 'https://example.org/x' }, b: { $ref: '#%' } } })).toEqual({
      't.arguments': { properties: { a: {}, b: {} } },
    });
  });

  it('accepts and refuses exactly what it did by itself', () => {
    const names = fc.constantFrom('a', 'b', 'c d', '$ref');
    const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'integer' }, { const: { $ref: '#' } }, {}),
        fc.constantFrom<JsonObject>(
          { $ref: '#/$defs/a' },
          { $ref: '#/$defs/c%20d' },
          { $ref: '#anchor' },
          { $ref: '#' },
        ),
        fc.dictionary(names, tie('schema')).map((properties) => ({ type: 'object', properties })),
        tie('schema').map((items) => ({ type: 'array', items })),
        tie('schema').map((not) => ({ anyOf: [{ type: 'array' }, { allOf: [{ type: 'object' }, not] }] })),
      ),
    }));
    const root = fc.tuple(fc.dictionary(names, anySchema), anySchema).map(([properties, definition]) => ({
      type: 'object',
      properties,
      $defs: {
        a: { type: 'string' },
        'c d': { type: 'object', properties: { a: definition } },
        e: { $anchor: 'anchor', type: 'integer' },
      },
    }));
    const values = fc.object({
      key: names,
      maxDepth: 4,
      values: [fc.constantFrom('x', 1, [], { $ref: '#' })],
    });
    fc.assert(
      fc.property(root, fc.array(values, { minLength: 3 }), (schema, instances) => {
        const ajv = new Ajv2020({ strict: false, validateFormats: false });
        const alone = ajv.compile(schema);
        const document = { $id: 'doc', components: { schemas: embed(schema) } };
        const embedded = ajv.addSchema(document).compile({ $ref: 'doc#/components/schemas/t.arguments' });
        for (const instance of instances) expect(embedded(instance)).toBe(alone(instance));
      }),
      { numRuns: 150 },
    );
  });
});
