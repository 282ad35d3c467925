import { createSchemaCompiler } from '../../src/catalog/compile-schema.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { ToolSpec } from '../../src/core/tool.ts';
import { describeArgumentFaults, type ArgumentFaults } from '../../src/describe/describe-argument-faults.ts';
import { createToolSchemaBuilder, type BuiltTool } from '../../src/describe/tool-schema-builder.ts';

/** A ToolSpec with the members given, and plain ones for the rest. */
export function specOf(members: Partial<ToolSpec>): ToolSpec {
  return {
    name: 'get_customer',
    version: '1',
    kind: 'tool',
    origin: 'builtin',
    summary: 'Gets a customer.',
    description: 'Fetches one customer.',
    inputSchema: { type: 'object', additionalProperties: false },
    lane: 'inline',
    ...members,
  };
}

/** The tool that seed 3 demonstrates itself with. */
export function demoTool(): BuiltTool {
  return createToolSchemaBuilder('get_customer')
    .setDescription(
      'Retrieve customer record by ID',
      'Fetches a customer object from the primary datastore. Supports concise and detailed response formats.',
    )
    .addParameter('customer_id', {
      type: 'string',
      description: 'Customer identifier in CUST-###### format (e.g., "CUST-000001")',
      required: true,
    })
    .addParameter('format', {
      type: 'string',
      description: '"concise" for key fields, "detailed" for complete record',
      default: 'concise',
      enum: ['concise', 'detailed'],
    })
    .setReturns('object', 'Customer object with requested fields', {
      id: { type: 'string' },
      name: { type: 'string' },
    })
    .addError('NOT_FOUND', 'Customer ID not in datastore', 'Verify ID format and retry')
    .addError('INVALID_FORMAT', 'ID does not match CUST-######', 'Use CUST-###### pattern')
    .build();
}

/** What is said of arguments that this schema refuses. */
export function faultsOf(inputSchema: object, args: object): ArgumentFaults {
  const compiled = createSchemaCompiler()(inputSchema as JsonObject);
  if (!compiled.ok) throw new Error(compiled.reason);
  return describeArgumentFaults(
    specOf({ inputSchema: inputSchema as JsonObject }),
    args as JsonObject,
    compiled.validate(args as JsonObject),
  );
}

/** The details of the same, for an object schema with these properties and no others. */
export function detailsOf(properties: object, args: object, more: object = {}): string[] {
  return faultsOf({ type: 'object', properties, additionalProperties: false, ...more }, args).details.map(
    (one) => `${one.path}: ${one.message}`,
  );
}
