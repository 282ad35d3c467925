import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createSchemaCompiler } from '../../src/catalog/compile-schema.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { SchemaFault } from '../../src/core/schema-fault.ts';
import { describeArgumentFaults } from '../../src/describe/describe-argument-faults.ts';
import { unionForms } from '../../src/describe/describe-shape.ts';
import { exampleFor } from '../../src/describe/example-for.ts';
import { exportTools } from '../../src/describe/export-tools.ts';

import { specOf } from './specs.ts';
import { flattenSchema } from '../../src/describe/read-schema.ts';
import { rootSchema, someArguments } from './arbitrary-schema.ts';
import { useEverywhere } from './use-everywhere.ts';

const compile = createSchemaCompiler();

/** The faults of a schema's own validator; undefined when the schema does not compile, or the validator gives up. */
function validate(inputSchema: JsonObject, args: JsonObject): readonly SchemaFault[] | undefined {
  const compiled = compile(inputSchema);
  try {
    return compiled.ok ? compiled.validate(args) : undefined;
  } catch {
    return undefined;
  }
}

describe('any schema that compiles', () => {
  it('can be described, scored, put in a prompt and exported; its faults can be told', () => {
    fc.assert(
      fc.property(rootSchema, someArguments, (inputSchema, args) => {
        const faults = validate(inputSchema, args);
        fc.pre(faults !== undefined);
        useEverywhere(inputSchema);
        const { details } = describeArgumentFaults(specOf({ inputSchema }), args, faults ?? []);
        expect(details.length > 0).toBe((faults ?? []).length > 0);
      }),
      { numRuns: 150 },
    );
  });

  it('has no example, or one that is valid', () => {
    fc.assert(
      fc.property(rootSchema, (inputSchema) => {
        fc.pre(validate(inputSchema, {}) !== undefined);
        const example = exampleFor(inputSchema);
        expect(example === undefined ? [] : validate(inputSchema, example as JsonObject)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('is exported as a schema that compiles, with an object at its root', () => {
    fc.assert(
      fc.property(rootSchema, (inputSchema) => {
        fc.pre(compile(inputSchema).ok);
        const [tool] = exportTools([specOf({ inputSchema })], 'openai').tools;
        const parameters = tool!.function.parameters as JsonObject;
        expect(compile(parameters)).toMatchObject({ ok: true });
        expect(parameters['type']).toBe('object');
        for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref']) {
          expect(parameters).not.toHaveProperty([keyword]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('is exported so that it still takes what the original takes', () => {
    fc.assert(
      fc.property(rootSchema, someArguments, (inputSchema, args) => {
        // A union at the root is laid over each other: what one form does not name is described as another has it.
        fc.pre(unionForms(flattenSchema(inputSchema, inputSchema)).length === 0);
        fc.pre(validate(inputSchema, args)?.length === 0);
        const spec = specOf({ inputSchema });
        const openai = exportTools([spec], 'openai').tools[0]!.function.parameters as JsonObject;
        const anthropic = exportTools([spec], 'anthropic').tools[0]?.input_schema as JsonObject | undefined;
        expect(validate(openai, args) ?? []).toEqual([]);
        const isSayable = Object.keys(args).every((name) => /^[a-zA-Z0-9_.-]{1,64}$/u.test(name));
        expect(anthropic === undefined || !isSayable ? [] : (validate(anthropic, args) ?? [])).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
