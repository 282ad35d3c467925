import { createRequire } from 'node:module';
import { RE2JS } from 're2js';

import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { jsonType } from './describe-shape.ts';
import {
  isSchema,
  refOf,
  resolveRef,
  schemaList,
  schemaMap,
  stringList,
  type Schema,
} from './read-schema.ts';

/** Keywords whose verdict is not worked out here. All others that are not known say nothing about validity. */
const UNSURE = new Set(
  'if then else dependentSchemas dependencies contains minContains maxContains unevaluatedProperties unevaluatedItems $dynamicRef $recursiveRef'.split(
    ' ',
  ),
);

const MAX_STEPS = 20_000;
const MAX_DEPTH = 200;

/**
 * True when the value is sure to be valid; false when it is not, or when the schema asks for more than this small
 * judge knows. For values that we are about to show as right: the validator of the call is not at hand here,
 * and a wrong example is worse than none.
 */
export function satisfies(value: JsonValue, schema: Schema, root: Schema): boolean {
  const trial: Trial = { root, steps: 0, depth: 0 };
  return isValid(value, schema, trial) && trial.steps <= MAX_STEPS;
}

interface Trial {
  readonly root: Schema;
  /** Past MAX_STEPS nothing is sure any more. */
  steps: number;
  depth: number;
}

function isValid(value: JsonValue, schema: Schema, trial: Trial): boolean {
  trial.steps += 1;
  if (trial.depth > MAX_DEPTH) return giveUp(trial);
  if (trial.steps > MAX_STEPS) return false;
  if (typeof schema === 'boolean') return schema;
  trial.depth += 1;
  const isGood = Object.keys(schema).every((keyword) =>
    UNSURE.has(keyword) ? giveUp(trial) : holds({ keyword, value, schema }, trial),
  );
  trial.depth -= 1;
  return isGood;
}

/** From here on the whole answer is false, also where a false would have turned into a true. */
function giveUp(trial: Trial): false {
  trial.steps = MAX_STEPS + 1;
  return false;
}

interface Check {
  readonly keyword: string;
  readonly value: JsonValue;
  readonly schema: JsonObject;
}

function holds(check: Check, trial: Trial): boolean {
  const { keyword, value, schema } = check;
  const rule = schema[keyword] as JsonValue;
  const combined = combine(check, trial);
  if (combined !== undefined) return combined;
  if (keyword === 'type') return (value === null && schema['nullable'] === true) || typeHolds(value, rule);
  if (keyword === 'enum')
    return Array.isArray(rule) && (rule as readonly JsonValue[]).some((one) => same(one, value));
  if (keyword === 'const') return same(rule, value);
  if (OBJECT_KEYWORDS.has(keyword)) return !isJsonObject(value) || objectHolds(check, value, trial);
  if (ARRAY_KEYWORDS.has(keyword))
    return !Array.isArray(value) || arrayHolds(check, value as readonly JsonValue[], trial);
  if (keyword === 'format' && typeof value === 'number') return numberFormatHolds(rule, value);
  if (TEXT_KEYWORDS.has(keyword)) return typeof value !== 'string' || textHolds(check, value, trial);
  if (NUMBER_KEYWORDS.has(keyword)) return typeof value !== 'number' || numberHolds(check, value);
  return true;
}

const OBJECT_KEYWORDS = new Set([
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'propertyNames',
]);
const ARRAY_KEYWORDS = new Set([
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'uniqueItems',
  'additionalItems',
]);
const TEXT_KEYWORDS = new Set(['minLength', 'maxLength', 'pattern', 'format']);
const NUMBER_KEYWORDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);

/** Bounds of the formats that the validator checks for numbers (ajv-formats). */
const NUMBER_FORMATS: ReadonlyMap<JsonValue, number> = new Map([
  ['int32', 2 ** 31 - 1],
  ['int64', Number.MAX_SAFE_INTEGER],
]);

function combine(check: Check, trial: Trial): boolean | undefined {
  const { keyword, value, schema } = check;
  const rule = schema[keyword];
  if (keyword === '$ref') {
    const target = resolveRef(trial.root, refOf(schema) ?? '');
    return target !== undefined && isValid(value, target, trial);
  }
  if (keyword === 'allOf') return schemaList(rule).every((part) => isValid(value, part, trial));
  if (keyword === 'anyOf') return schemaList(rule).some((part) => isValid(value, part, trial));
  if (keyword === 'oneOf') return schemaList(rule).filter((part) => isValid(value, part, trial)).length === 1;
  if (keyword === 'not') return isSchema(rule) && !isValid(value, rule, trial);
  return undefined;
}

function typeHolds(value: JsonValue, rule: JsonValue): boolean {
  const type = jsonType(value);
  const allowed = typeof rule === 'string' ? [rule] : stringList(rule);
  return allowed.includes(type) || (type === 'integer' && allowed.includes('number'));
}

function objectHolds(check: Check, value: JsonObject, trial: Trial): boolean {
  const { keyword, schema } = check;
  const rule = schema[keyword];
  const names = Object.keys(value);
  if (keyword === 'required') return stringList(rule).every((name) => Object.hasOwn(value, name));
  if (keyword === 'minProperties') return typeof rule === 'number' && names.length >= rule;
  if (keyword === 'maxProperties') return typeof rule === 'number' && names.length <= rule;
  if (keyword === 'propertyNames') return isSchema(rule) && names.every((name) => isValid(name, rule, trial));
  if (keyword === 'properties') {
    return schemaMap(rule).every(
      ([name, part]) => !Object.hasOwn(value, name) || isValid(value[name] ?? null, part, trial),
    );
  }
  if (keyword === 'dependentRequired') {
    return Object.entries(isJsonObject(rule) ? rule : {}).every(
      ([name, needs]) =>
        !Object.hasOwn(value, name) || stringList(needs).every((need) => Object.hasOwn(value, need)),
    );
  }
  const patterns = schemaMap(schema['patternProperties']);
  if (keyword === 'patternProperties') {
    return names.every((name) =>
      patterns.every(
        ([pattern, part]) => !matches(pattern, name, trial) || isValid(value[name] ?? null, part, trial),
      ),
    );
  }
  const known = new Set(schemaMap(schema['properties']).map(([name]) => name));
  return (
    isSchema(rule) &&
    names.every(
      (name) =>
        known.has(name) ||
        patterns.some(([pattern]) => matches(pattern, name, trial)) ||
        isValid(value[name] ?? null, rule, trial),
    )
  );
}

function arrayHolds(check: Check, value: readonly JsonValue[], trial: Trial): boolean {
  const { keyword, schema } = check;
  const rule = schema[keyword];
  if (keyword === 'minItems') return typeof rule === 'number' && value.length >= rule;
  if (keyword === 'maxItems') return typeof rule === 'number' && value.length <= rule;
  if (keyword === 'uniqueItems')
    return rule !== true || new Set(value.map((item) => JSON.stringify(item))).size === value.length;
  const tuple = schemaList(schema['prefixItems'] ?? schema['items']);
  if (Array.isArray(rule))
    return schemaList(rule).every(
      (part, index) => index >= value.length || isValid(value[index] ?? null, part, trial),
    );
  return isSchema(rule) && value.slice(tuple.length).every((item) => isValid(item, rule, trial));
}

function textHolds(check: Check, value: string, trial: Trial): boolean {
  const { keyword, schema } = check;
  const rule = schema[keyword];
  if (keyword === 'pattern') return typeof rule === 'string' && matches(rule, value, trial);
  if (keyword === 'format') return typeof rule === 'string' && formatHolds(rule, value);
  const length = Array.from(value).length;
  return typeof rule === 'number' && (keyword === 'minLength' ? length >= rule : length <= rule);
}

function numberHolds(check: Check, value: number): boolean {
  const { keyword, schema } = check;
  const rule = schema[keyword];
  if (typeof rule === 'boolean')
    return !rule || value !== schema[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
  if (typeof rule !== 'number') return false;
  if (keyword === 'multipleOf') return Math.abs(value / rule - Math.round(value / rule)) < 1e-9;
  if (keyword === 'minimum') return value >= rule;
  if (keyword === 'maximum') return value <= rule;
  return keyword === 'exclusiveMinimum' ? value > rule : value < rule;
}

function numberFormatHolds(format: JsonValue, value: number): boolean {
  const most = NUMBER_FORMATS.get(format);
  return most === undefined || (Number.isInteger(value) && Math.abs(value) <= most);
}

/** In linear time; of a pattern that RE2 cannot take, nothing is known. */
function matches(pattern: string, text: string, trial: Trial): boolean {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern)).test(text);
  } catch {
    return giveUp(trial);
  }
}

type FormatRule =
  | true
  | RegExp
  | ((text: string) => boolean)
  | { validate: RegExp | ((text: string) => boolean) };

function formatHolds(format: string, text: string): boolean {
  const { fullFormats } = createRequire(import.meta.url)('ajv-formats/dist/formats.js') as {
    fullFormats: Readonly<Record<string, FormatRule>>;
  };
  const rule = Object.hasOwn(fullFormats, format) ? fullFormats[format] : undefined;
  if (rule === undefined || rule === true) return true;
  const test = rule instanceof RegExp || typeof rule === 'function' ? rule : rule.validate;
  return test instanceof RegExp ? test.test(text) : test(text);
}

function same(a: JsonValue, b: JsonValue): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
