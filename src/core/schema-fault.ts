import type { JsonObject } from './json.ts';

/** One complaint of a JSON Schema validator, in Ajv's shape. */
export interface SchemaFault {
  /** JSON pointer into the value; '' is the root. */
  readonly instancePath: string;
  /** JSON pointer (with a leading #) into the schema. */
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: JsonObject;
  readonly message: string;
}
