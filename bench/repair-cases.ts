import { readFileSync } from 'node:fs';

import { isJsonObject, type JsonObject, type JsonValue } from '../src/core/json.ts';
import { exampleFor } from '../src/describe/example-for.ts';
import { flattenSchema, schemaMap } from '../src/describe/read-schema.ts';

/** A schema and arguments that satisfy it. */
export interface RepairSubject {
  readonly name: string;
  readonly schema: JsonObject;
  readonly arguments: JsonObject;
}

const SCHEMA_KEYS = ['schema', 'input_schema', 'inputSchema', 'params_json_schema', 'parameters'];

/**
 * Reads a JSON file: a list of tools (or `{tools: [...]}`), each with `name`, a schema under one of the usual keys
 * (OpenAI's `{function: {...}}` too), and optionally `arguments` that are valid. Without them, some are made up.
 */
export function readSubjects(file: string): RepairSubject[] {
  const content = JSON.parse(readFileSync(file, 'utf8')) as JsonValue;
  const list = isJsonObject(content) && Array.isArray(content['tools']) ? content['tools'] : content;
  if (!Array.isArray(list)) throw new Error(`${file}: expected a JSON list of tools`);
  return (list as readonly JsonValue[]).flatMap((item, index) => {
    const tool = isJsonObject(item) && isJsonObject(item['function']) ? item['function'] : item;
    const subject = isJsonObject(tool) ? toSubject(tool, index) : undefined;
    return subject === undefined ? [] : [subject];
  });
}

function toSubject(tool: JsonObject, index: number): RepairSubject | undefined {
  const schema =
    SCHEMA_KEYS.map((key) => tool[key]).find(isJsonObject) ?? (tool['type'] === 'object' ? tool : undefined);
  if (schema === undefined) return undefined;
  const name = typeof tool['name'] === 'string' ? tool['name'] : `tool_${index}`;
  const given = isJsonObject(tool['arguments']) ? tool['arguments'] : makeFull(schema);
  return given === undefined ? undefined : { name, schema, arguments: given };
}

/** Arguments with every top-level property, so that there is much to break; else the smallest. */
function makeFull(schema: JsonObject): JsonObject | undefined {
  const names = schemaMap(flattenSchema(schema, schema)['properties']).map(([name]) => name);
  const made = exampleFor({ ...schema, required: names }, schema) ?? exampleFor(schema);
  return isJsonObject(made) ? made : undefined;
}

/** One thing broken in arguments that were valid. */
export interface RepairCase {
  readonly subject: RepairSubject;
  readonly kind: BreakKind;
  /** Where it was broken, as JSON pointers. What stands there may differ after the repair. */
  readonly places: readonly string[];
  /** Nothing was lost by breaking it, so all of it must come back. */
  readonly exact: boolean;
  readonly broken: JsonObject;
}

export const BREAK_KINDS = [
  'missing',
  'extra',
  'misspelt',
  'wrong type',
  'out of range',
  'bad enum',
  'bad format',
  'wrong nesting',
  'stringified',
] as const;
export type BreakKind = (typeof BREAK_KINDS)[number];

/** A way to break: the new value of one place, or undefined to leave it out. */
export interface Break {
  readonly kind: BreakKind;
  readonly value: JsonValue | undefined;
  readonly exact?: boolean;
}
