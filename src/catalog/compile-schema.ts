import { Ajv as Ajv7, type ErrorObject, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin, { type FormatsPlugin } from 'ajv-formats';

import { canonicalJson, type JsonObject, type JsonValue } from '../core/json.ts';
import type { SchemaFault } from '../core/schema-fault.ts';
import { splitForeignPatterns } from './foreign-patterns.ts';
import { linearPattern } from './linear-pattern.ts';
import { findBudgetFault } from './schema-budget.ts';

export type CompiledSchema =
  | {
      readonly ok: true;
      readonly validate: (args: JsonObject) => readonly SchemaFault[];
      readonly findings: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Present where patterns in another language are all that is wrong with it. */
      readonly foreignPatterns?: readonly string[];
    };

type Dialect = 'draft-07' | '2019-09' | '2020-12';

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-06/schema', 'draft-07'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/** A union's own fault comes after those of all its branches, so a short list would lose it. */
const MAX_FAULTS = 1_000;

/**
 * Compiles schemas of draft-07, 2019-09 and 2020-12 (the default). Nothing is coerced, filled in or removed;
 * only own properties count; patterns run in linear time; a `$ref` never leaves its document. Vendor keywords and
 * unknown formats are tolerated and come back as findings. A schema is forgotten by the shared instance
 * at once, so equal `$id`s in two schemas never meet.
 */
export function createSchemaCompiler(): (schema: JsonObject) => CompiledSchema {
  const findings: string[] = [];
  const instances = new Map<Dialect, Ajv7>();
  return (schema) => {
    const refusal = findShapeFault(schema) ?? findBudgetFault(schema);
    if (refusal !== undefined) return { ok: false, reason: refusal };
    const dialect = dialectOf(schema);
    if (dialect === undefined)
      return { ok: false, reason: `its $schema ${JSON.stringify(schema['$schema'])} is not known` };
    const ajv = instances.get(dialect) ?? createInstance(dialect, findings);
    instances.set(dialect, ajv);
    findings.length = 0;
    const { $schema: _dialect, ...rules } = schema;
    const compiled = compileRules(rules, ajv, findings);
    if (compiled.ok) return compiled;
    const { rest, foreign } = splitForeignPatterns(rules);
    if (foreign.length === 0) return compiled;
    const other = compileRules(rest, ajv, findings);
    return other.ok ? { ...compiled, foreignPatterns: foreign } : other;
  };
}

function compileRules(rules: JsonObject, ajv: Ajv7, findings: string[]): CompiledSchema {
  try {
    tolerateFormats(rules, ajv, findings);
    const check = ajv.compile(rules);
    // A schema that refers to itself without end compiles, and only shows when it is used.
    check({});
    const validate = (args: JsonObject): readonly SchemaFault[] =>
      check(args) ? [] : toFaults(check.errors ?? []);
    return { ok: true, validate, findings: [...new Set(findings)] };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: 'it refers to itself without end' };
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    ajv.removeSchema(rules);
  }
}

function findShapeFault(schema: JsonObject): string | undefined {
  const type = schema['type'];
  const describesObject =
    type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (!describesObject) return `its root has type ${JSON.stringify(type)}; arguments are an object`;
  return schema['$async'] === undefined ? undefined : 'it is asynchronous ($async)';
}

function dialectOf(schema: JsonObject): Dialect | undefined {
  const id = schema['$schema'];
  if (id === undefined) return '2020-12';
  return typeof id === 'string'
    ? DIALECTS.get(id.replace(/^https?:\/\//u, '').replace(/#$/u, ''))
    : undefined;
}

function createInstance(dialect: Dialect, findings: string[]): Ajv7 {
  const note = (...parts: unknown[]): void => void findings.push(parts.map(String).join(' '));
  const pattern = Object.assign((source: string) => linearPattern(source), { code: 'linearPattern' });
  const options: Options = {
    allErrors: true,
    ownProperties: true,
    strictSchema: 'log',
    strictNumbers: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    // Else 19.99 is no multiple of 0.01 in binary floating point.
    multipleOfPrecision: 9,
    logger: { log: note, warn: note, error: note },
    code: { regExp: pattern },
  };
  const ajv = { 'draft-07': Ajv7, '2019-09': Ajv2019, '2020-12': Ajv2020 }[dialect];
  const instance: Ajv7 = new ajv(options);
  (formatsPlugin as unknown as FormatsPlugin)(instance);
  instance.removeKeyword('uniqueItems');
  instance.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: areUnique,
    errors: false,
  });
  return instance;
}

/** Ajv has no way to let unknown formats pass while unknown keywords are still reported: each is made known as free text. */
function tolerateFormats(rules: JsonObject, ajv: Ajv7, findings: string[]): void {
  JSON.stringify(rules, (key, value: unknown) => {
    if (key !== 'format' || typeof value !== 'string') return value;
    const known = ajv.formats[value];
    if (known === undefined) ajv.addFormat(value, true);
    if (known === undefined || known === true)
      findings.push(`format ${JSON.stringify(value)} is not checked`);
    return value;
  });
}

/** Ajv compares every pair, which takes 6 s for 20,000 objects; a set of canonical texts is linear. */
function areUnique(wanted: boolean, items: readonly JsonValue[]): boolean {
  return !wanted || new Set(items.map(canonicalJson)).size === items.length;
}

function toFaults(errors: readonly ErrorObject[]): SchemaFault[] {
  return errors.slice(0, MAX_FAULTS).map((error) => ({
    instancePath: error.instancePath,
    schemaPath: error.schemaPath,
    keyword: error.keyword,
    params: error.params as JsonObject,
    message: error.message ?? 'is not valid',
  }));
}
