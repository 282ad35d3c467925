import { isJsonObject } from '../core/json.ts';
import { branchFor, type SchemaNode } from './unknown-members.ts';

/** What a JSON pointer into a value leads to. */
export interface Located {
  readonly value: unknown;
  readonly schema: SchemaNode;
  /** Where that schema stands, as the validator writes it: `#/properties/files`. */
  readonly schemaPath: string;
}

/** Follows a pointer through a value and its schema at once; undefined where the schema says nothing about the place. */
export function locateValue(schema: SchemaNode, value: unknown, pointer: string): Located | undefined {
  let place = choose({ schema, value, schemaPath: '#' });
  for (const name of pointer.split('/').slice(1)) {
    const next = enter(place, name);
    if (next === undefined) return undefined;
    place = choose(next);
  }
  return place;
}

function enter({ schema, value, schemaPath }: Located, name: string): Located | undefined {
  const { properties, items } = schema;
  if (Array.isArray(value) && isJsonObject(items)) {
    return { schema: items, value: value[Number(name)] as unknown, schemaPath: `${schemaPath}/items` };
  }
  if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  const inner = properties[name];
  if (!isJsonObject(inner)) return undefined;
  const received = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { schema: inner, value: received, schemaPath: `${schemaPath}/properties/${name}` };
}

function choose({ schema, value, schemaPath }: Located): Located {
  const branch = branchFor(schema, value);
  return { schema: branch.schema, value, schemaPath: schemaPath + branch.path };
}
