import * as fc from 'fast-check';

import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';

const names = fc.constantFrom('a', 'b', 'c', '$ref', 'title', 'größe', 'type', 'x y');
const small = fc.integer({ min: 0, max: 5 });

/** Schemas that use every keyword that we read, references and recursion included. */
const { schema: anySchema } = fc.letrec<{ schema: JsonValue; object: JsonValue }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'schema' },
    fc.boolean(),
    fc.constant({}),
    fc.constantFrom({ $ref: '#' }, { $ref: '#/$defs/D' }, { $ref: '#/properties/a' }),
    fc.record(
      {
        type: fc.constantFrom('integer', 'number'),
        minimum: small,
        maximum: fc.integer({ min: 5, max: 9 }),
        multipleOf: fc.constantFrom(1, 0.5, 3),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('string'),
        minLength: small,
        maxLength: fc.integer({ min: 5, max: 9 }),
        pattern: fc.constantFrom('^a+$', '\\d', '^[A-Z]{2}$', '^(?:x|y)?$'),
        format: fc.constantFrom('date', 'email', 'odd'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        enum: fc.uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), {
          minLength: 1,
          maxLength: 4,
        }),
        default: fc.constantFrom(false, 0, '', null),
      },
      { requiredKeys: ['enum'] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        minItems: small,
        maxItems: fc.integer({ min: 5, max: 7 }),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        items: tie('schema'),
        contains: tie('schema'),
      },
      { requiredKeys: ['prefixItems'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record(
      { oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }), description: fc.string() },
      { requiredKeys: ['oneOf'] },
    ),
    fc.record(
      { allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), not: tie('schema') },
      { requiredKeys: ['allOf'] },
    ),
    tie('object'),
  ) as fc.Arbitrary<JsonValue>,
  object: fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: tie('schema'),
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b$'), tie('schema'), { maxKeys: 1 }),
      propertyNames: fc.constantFrom({ pattern: '^[a-z$]+$' }, true),
      minProperties: small,
      dependentRequired: fc.constant({ a: ['b'] }),
      if: tie('schema'),
      else: tie('schema'),
      unevaluatedProperties: fc.boolean(),
      examples: fc.array(fc.constantFrom({}, 5, 'x'), { maxLength: 1 }),
    },
    { requiredKeys: ['type'] },
  ) as fc.Arbitrary<JsonValue>,
}));

/** An object schema as a tool may have it. */
export const rootSchema = fc
  .tuple(anySchema, fc.dictionary(names, anySchema, { maxKeys: 4 }), anySchema)
  .map(([extra, properties, definition]): JsonObject =>
    Object.assign(isJsonObject(extra) ? { ...extra } : {}, {
      type: 'object',
      properties,
      $defs: { D: definition },
    }),
  );

/** Arguments that may or may not fit. */
export const someArguments = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }), {
  maxKeys: 4,
}) as fc.Arbitrary<JsonObject>;
