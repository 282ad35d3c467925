import { Ajv, type ErrorObject } from 'ajv';

import type { BootFault } from '../core/boot-error.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import { PolicyDocumentSchema } from './policy-schema.ts';
import { escapePointer, type PolicyYaml } from './policy-yaml.ts';

const validate = new Ajv({ allErrors: true, ownProperties: true, verbose: true }).compile(
  PolicyDocumentSchema,
);

/** A fault, and the JSON pointer of what is wrong. */
export interface PolicyFault {
  readonly pointer: string;
  readonly fault: BootFault;
}

/** Every place where the document differs from the schema, one fault a place, in the words of the schema's descriptions. */
export function findSchemaFaults(yaml: PolicyYaml): PolicyFault[] {
  if (yaml.value === undefined || validate(yaml.value)) return [];
  const faults = new Map<string, PolicyFault>();
  for (const error of validate.errors ?? []) {
    const found = toFault(yaml, error);
    if (!faults.has(found.pointer)) faults.set(found.pointer, found);
  }
  return [...faults.values()];
}

function toFault(yaml: PolicyYaml, error: ErrorObject): PolicyFault {
  const { instancePath, keyword, params } = error;
  const schema = error.parentSchema as JsonObject;
  if (keyword === 'additionalProperties') {
    const key = String(params['additionalProperty']);
    const pointer = `${instancePath}/${escapePointer(key)}`;
    return {
      pointer,
      fault: { ...yaml.placeOf(pointer, 'key'), ...sayUnknownKey(key, instancePath, schema) },
    };
  }
  if (keyword === 'required') {
    const key = String(params['missingProperty']);
    return {
      pointer: `${instancePath}/${escapePointer(key)}`,
      fault: {
        ...yaml.placeOf(instancePath),
        message: `${sayPath(instancePath)} lacks the key ${key}.`,
        remedy: `Add it: ${describeMember(schema, key)}.`,
      },
    };
  }
  const remedy = `Write ${describe(schema)}.`;
  return {
    pointer: instancePath,
    fault: {
      ...yaml.placeOf(instancePath),
      message: `${sayPath(instancePath)} is ${sayReceived(error.data, instancePath)}.`,
      remedy: needsQuotes(schema, error.data) ? `${remedy} Put it in quotes.` : remedy,
    },
  };
}

function sayUnknownKey(key: string, path: string, schema: JsonObject): Pick<BootFault, 'message' | 'remedy'> {
  const known = isJsonObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  if (known.length === 0) {
    return {
      message: `${sayPath(path)} holds the name ${quote(key)}.`,
      remedy: 'A name has 1 to 64 ASCII letters, digits, _ and -, and starts with a letter or digit.',
    };
  }
  const [nearest] = nearestNames(key, known, 1);
  const hint = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  return {
    message: `${sayPath(path)} has the unknown key ${quote(key)}.`,
    remedy: `${hint}Known keys: ${known.join(', ')}.`,
  };
}

function describeMember(schema: JsonObject, key: string): string {
  const members = schema['properties'];
  const member = isJsonObject(members) ? members[key] : undefined;
  return isJsonObject(member) ? describe(member) : 'its value';
}

function describe(schema: JsonObject): string {
  const { description } = schema;
  return typeof description === 'string' ? description : 'another value';
}

/** A pointer as a person would write it: `callers[0].key_sha256`. */
function sayPath(pointer: string): string {
  if (pointer === '') return 'The policy';
  const parts = pointer.slice(1).split('/');
  const path = parts.map((part, index) => {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/u.test(name) && index > 0) return `[${name}]`;
    return index === 0 ? name : `.${name}`;
  });
  return path.join('');
}

/** Somebody will paste a key where its hash belongs; it must not reach a log. */
function sayReceived(value: unknown, path: string): string {
  const isSecret = path.endsWith('/key_sha256');
  if (typeof value === 'string')
    return isSecret ? `a text of ${Array.from(value).length} characters` : quote(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) return 'a map';
  return value === null ? 'empty' : `the ${typeof value}${isSecret ? '' : ` ${quote(value)}`}`;
}

function needsQuotes(schema: JsonObject, value: unknown): boolean {
  return schema['type'] === 'string' && (typeof value === 'number' || typeof value === 'boolean');
}
