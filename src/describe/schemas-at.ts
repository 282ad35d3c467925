import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { unionForms } from './describe-shape.ts';
import { pointerSteps } from './json-pointer.ts';
import { flattenSchema, isSchema, member, schemaList, schemaMap, type Schema } from './read-schema.ts';

const MAX_SCHEMAS = 60;
const MAX_NESTING = 3;

/**
 * Every schema that could apply to the value at a pointer, flat: through references, `allOf` and each form of a
 * union. For questions such as "which names are known there"; never for a verdict.
 */
export function schemasAt(root: Schema, pointer: string): JsonObject[] {
  let here = expand(root, root);
  for (const step of pointerSteps(pointer)) {
    here = here
      .flatMap((schema) => stepInto(schema, step))
      .slice(0, MAX_SCHEMAS)
      .flatMap((schema) => expand(schema, root))
      .slice(0, MAX_SCHEMAS);
  }
  return here;
}

function expand(schema: Schema, root: Schema, nesting = 0): JsonObject[] {
  const flat = flattenSchema(schema, root);
  if (nesting > MAX_NESTING) return [flat];
  return [
    flat,
    ...unionForms(flat)
      .slice(0, 20)
      .flatMap((form) => expand(form, root, nesting + 1)),
  ];
}

function stepInto(schema: JsonObject, step: string): Schema[] {
  const named = new Map(schemaMap(schema['properties'])).get(step);
  if (named !== undefined) return [named];
  const rest = [
    schema['additionalProperties'],
    ...schemaMap(schema['patternProperties']).map(([, part]) => part),
  ];
  const items = /^\d+$/u.test(step)
    ? [schemaList(schema['prefixItems'] ?? schema['items'])[Number(step)] ?? schema['items']]
    : [];
  return [...rest, ...items].filter((part): part is Schema => isSchema(part) && typeof part !== 'boolean');
}

/** The names that a description knows at a pointer, each with one schema for it. */
export function membersAt(root: Schema, pointer: string): Map<string, Schema> {
  return new Map(schemasAt(root, pointer).flatMap((schema) => schemaMap(schema['properties'])));
}

/** The schema that one of the forms of an object gives a member. */
export function memberOf(object: Schema, name: string, root: Schema): Schema | undefined {
  for (const schema of expand(object, root)) {
    const found = member(schema['properties'], name);
    if (found !== undefined && isSchema(found)) return found;
  }
  return undefined;
}

/** True for an object that lacks the name, so that it could be put there. */
export function isFree(value: JsonValue | undefined, name: string): boolean {
  return isJsonObject(value) && !Object.hasOwn(value, name);
}
