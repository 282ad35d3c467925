import type { JsonObject, JsonValue } from '../core/json.ts';
import type { ToolErrorNote, ToolExample, ToolReturns } from '../core/tool.ts';

interface ParameterOptions {
  readonly type: string | readonly string[];
  readonly description: string;
  /** Default: false. */
  readonly required?: boolean;
  readonly default?: JsonValue;
  readonly enum?: readonly JsonValue[];
  /** Further JSON Schema keywords: bounds, pattern, format, items, properties. */
  readonly schema?: JsonObject;
}

/** The parts of a ToolSpec that a description is made of. */
export interface BuiltTool {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly triggers: readonly string[];
  readonly examples: readonly ToolExample[];
  readonly errors: readonly ToolErrorNote[];
  readonly returns?: ToolReturns;
}

/** Each call adds to what was said before and gives the builder back; the order of calls is the order in the document. */
export interface ToolSchemaBuilder {
  /** `short` becomes the summary; `detailed`, where it is not empty, the description. */
  setDescription(short: string, detailed?: string): ToolSchemaBuilder;
  addParameter(name: string, options: ParameterOptions): ToolSchemaBuilder;
  setReturns(type: string, description: string, properties?: JsonObject): ToolSchemaBuilder;
  addError(code: string, description: string, resolution: string): ToolSchemaBuilder;
  /** Read after the word "When". */
  addTrigger(trigger: string): ToolSchemaBuilder;
  addExample(input: string, toolCall: JsonObject): ToolSchemaBuilder;
  /** What was said so far; later calls do not change it. */
  build(): BuiltTool;
}

/** Seed 3's builder: how a built-in tool states what a model reads about it. Throws when a parameter is added twice. */
export function createToolSchemaBuilder(name: string): ToolSchemaBuilder {
  let texts = { summary: '', description: '' };
  let returns: ToolReturns | undefined;
  const parameters = new Map<string, ParameterOptions>();
  const errors: ToolErrorNote[] = [];
  const triggers: string[] = [];
  const examples: ToolExample[] = [];
  const builder: ToolSchemaBuilder = {
    setDescription: (short, detailed = '') => {
      texts = { summary: short, description: detailed === '' ? short : detailed };
      return builder;
    },
    addParameter: (parameter, options) => {
      if (parameters.has(parameter)) throw new Error(`${name}: the parameter ${parameter} was added twice`);
      parameters.set(parameter, options);
      return builder;
    },
    setReturns: (type, description, properties) => {
      returns = { type, description, ...(properties === undefined ? {} : { properties }) };
      return builder;
    },
    addError: (code, description, resolution) => (errors.push({ code, description, resolution }), builder),
    addTrigger: (trigger) => (triggers.push(trigger), builder),
    addExample: (input, toolCall) => (examples.push({ input, arguments: toolCall }), builder),
    build: () => ({
      name,
      ...texts,
      inputSchema: schemaOf(parameters),
      triggers: [...triggers],
      examples: [...examples],
      errors: [...errors],
      ...(returns === undefined ? {} : { returns }),
    }),
  };
  return builder;
}

function schemaOf(parameters: ReadonlyMap<string, ParameterOptions>): JsonObject {
  const required = [...parameters].filter(([, options]) => options.required === true).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      [...parameters].map(([name, options]) => [name, parameterSchema(options)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function parameterSchema(options: ParameterOptions): JsonObject {
  return {
    type: options.type,
    description: options.description,
    ...options.schema,
    ...(options.enum === undefined ? {} : { enum: options.enum }),
    ...(options.default === undefined ? {} : { default: options.default }),
  };
}
