import { stripConcealed } from '../core/concealed.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { unionForms } from './describe-shape.ts';
import { note, type Lowering } from './lowering.ts';
import { flattenSchema, schemaMap, stringList, type Schema } from './read-schema.ts';

/** Refused by both APIs at the root of a tool's schema. */
const REFUSED = [
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'enum',
  'const',
  'if',
  'then',
  'else',
  'dependentSchemas',
] as const;
const MAX_HINT = 300;

interface Root {
  readonly flat: JsonObject;
  readonly hint: string;
  readonly impossible?: string;
}

/**
 * The root as one plain object schema: references followed, `allOf` merged, the forms of a union laid over each
 * other: the members of each are known, with every schema that some form gives them; those that all need are required.
 */
export function lowerRoot(source: JsonObject, lowering: Lowering): Root {
  const flat = flattenSchema(source, source);
  const forms = unionForms(flat).map((form) => flattenSchema(form, source));
  const open = forms.length === 0 ? flat : overlay(flat, forms);
  const kept: Record<string, JsonValue> = { ...open, type: 'object', properties: open['properties'] ?? {} };
  const refused = REFUSED.filter((keyword) => kept[keyword] !== undefined);
  // What the refused parts would have evaluated is not evaluated without them.
  if (refused.length > 0) delete kept['unevaluatedProperties'];
  for (const keyword of refused) {
    delete kept[keyword];
    const message = `This API takes no ${keyword} at the root${keyword === 'anyOf' || keyword === 'oneOf' ? ': all forms are laid over each other' : ''}.`;
    note(lowering, '', {
      change: keyword === 'anyOf' || keyword === 'oneOf' ? 'rewritten' : 'dropped',
      keyword,
      message,
    });
  }
  const named = dropNames(kept, lowering);
  return {
    flat: named.schema,
    hint: hintFor(forms),
    ...(named.lost === undefined
      ? {}
      : {
          impossible: `it needs the argument ${JSON.stringify(named.lost)}, a name that this API does not take`,
        }),
  };
}

function overlay(flat: JsonObject, forms: readonly JsonObject[]): JsonObject {
  const members = new Map<string, Schema[]>();
  for (const [name, schema] of [flat, ...forms].flatMap((form) => schemaMap(form['properties']))) {
    members.set(name, [...(members.get(name) ?? []), schema]);
  }
  const properties = Object.fromEntries([...members].map(([name, schemas]) => [name, anyOfThese(schemas)]));
  const needs = forms.map((form) => stringList(form['required']));
  const shared = (needs[0] ?? []).filter((name) => needs.every((names) => names.includes(name)));
  const required = [...new Set([...stringList(flat['required']), ...shared])];
  const isClosed = forms.every(
    (form) => form['additionalProperties'] === false && form['patternProperties'] === undefined,
  );
  const { additionalProperties: own, ...rest } = flat;
  const openness = own === false && !isClosed ? onlyOwn(flat, own) : {};
  return { ...rest, properties, required, ...(isClosed ? { additionalProperties: false } : openness) };
}

/** `additionalProperties: false` beside a union closes the object over its own names, whatever the forms name. */
function onlyOwn(flat: JsonObject, own: false): JsonObject {
  return { additionalProperties: own, properties: flat['properties'] ?? {} };
}

function anyOfThese(schemas: readonly Schema[]): Schema {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only, ...others] = different;
  return only !== undefined && others.length === 0 ? only : { anyOf: different };
}

function dropNames(
  schema: Record<string, JsonValue>,
  lowering: Lowering,
): { schema: JsonObject; lost?: string } {
  const { properties } = schema;
  const bad = schemaMap(properties)
    .map(([name]) => name)
    .filter((name) => !lowering.rules.propertyName.test(name));
  if (bad.length === 0 || !isJsonObject(properties)) return { schema };
  const required = stringList(schema['required']);
  const lost = bad.find((name) => required.includes(name));
  for (const name of bad) {
    note(lowering, '', {
      change: 'dropped',
      keyword: 'properties',
      message: `The argument ${JSON.stringify(name)} has a name that this API does not take.`,
    });
  }
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !bad.includes(name)));
  return { schema: { ...schema, properties: kept }, ...(lost === undefined ? {} : { lost }) };
}

/** The forms in words, since the schema can no longer tell them apart. */
function hintFor(forms: readonly JsonObject[]): string {
  const sets = forms.map((form) => stringList(form['required']).map(stripConcealed));
  if (sets.length < 2 || sets.every((names) => names.length === 0)) return '';
  const text = `Send one of these sets of arguments: ${sets.map((names) => (names.length === 0 ? 'none of these' : names.join(' with '))).join('; or ')}.`;
  return text.length > MAX_HINT ? '' : text;
}
