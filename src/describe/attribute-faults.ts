import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { SchemaFault } from '../core/schema-fault.ts';
import { childPointer, pointerSteps } from './json-pointer.ts';
import {
  isSchema,
  member,
  refOf,
  resolveRef,
  schemaList,
  schemaMap,
  stringList,
  type Schema,
} from './read-schema.ts';

/** One thing that is wrong, with the schema that says so. */
export interface PlainComplaint {
  readonly kind: 'plain';
  readonly pointer: string;
  readonly fault: SchemaFault;
  /** The schema whose keyword complains; an empty one when it could not be found. */
  readonly schema: JsonObject;
  /** All schemas that apply to the same value on the way there, outermost first. */
  readonly around: readonly Schema[];
}

/** None of several forms fits, or more than one where one is allowed; each form with what speaks against it. */
export interface UnionComplaint {
  readonly kind: 'union';
  readonly pointer: string;
  readonly fault: SchemaFault;
  readonly schema: JsonObject;
  readonly around: readonly Schema[];
  readonly forms: readonly { readonly schema: Schema; readonly complaints: readonly Complaint[] }[];
}

export type Complaint = PlainComplaint | UnionComplaint;

/** A name that a validator gives beside its keyword. */
export function textParam(fault: SchemaFault, name: string): string {
  const value = fault.params[name];
  return typeof value === 'string' ? value : '';
}

const MAX_STEPS = 20_000;

interface Walk {
  readonly root: Schema;
  readonly byPlace: ReadonlyMap<string, readonly SchemaFault[]>;
  /** Every pointer at or above a fault: nothing else needs a look. */
  readonly reach: ReadonlySet<string>;
  readonly used: Set<string>;
  steps: number;
}

interface Place {
  readonly pointer: string;
  readonly value: JsonValue | undefined;
  readonly around: readonly Schema[];
}

/**
 * Gives each of a validator's faults back to the schema that raised it. A validator reports all branches of a union
 * in one flat list, and behind a reference its schema paths do not say which branch; so the schema
 * is walked beside the value, and a keyword complains if and only if the validator said so at that place.
 */
export function attributeFaults(
  schema: Schema,
  value: JsonValue,
  faults: readonly SchemaFault[],
): Complaint[] {
  const walk: Walk = {
    root: schema,
    byPlace: groupByPlace(faults),
    reach: reachOf(faults),
    used: new Set(),
    steps: 0,
  };
  const found = collect(schema, { pointer: '', value, around: [] }, walk);
  const left = faults.filter((fault) => !walk.used.has(keyOf(fault)) && fault.keyword !== 'if');
  return unique([...found, ...left.map((fault): Complaint => plain(fault, {}, []))]);
}

function plain(fault: SchemaFault, schema: JsonObject, around: readonly Schema[]): PlainComplaint {
  return { kind: 'plain', pointer: fault.instancePath, fault, schema, around };
}

function keyOf(fault: SchemaFault): string {
  return `${fault.instancePath}\n${fault.keyword}\n${JSON.stringify(fault.params)}`;
}

/** Two parts of a schema may ask for the same; that is one thing wrong. */
function unique(complaints: readonly Complaint[]): Complaint[] {
  return [...new Map(complaints.map((one) => [`${one.kind}\n${keyOf(one.fault)}`, one])).values()];
}

function groupByPlace(faults: readonly SchemaFault[]): Map<string, SchemaFault[]> {
  const places = new Map<string, SchemaFault[]>();
  for (const fault of faults) {
    const here = places.get(fault.instancePath);
    if (here === undefined) places.set(fault.instancePath, [fault]);
    else here.push(fault);
  }
  return places;
}

function reachOf(faults: readonly SchemaFault[]): Set<string> {
  const reach = new Set<string>();
  for (const { instancePath } of faults) {
    let pointer = '';
    reach.add(pointer);
    for (const step of pointerSteps(instancePath)) reach.add((pointer = childPointer(pointer, step)));
  }
  return reach;
}

function collect(schema: Schema, place: Place, walk: Walk): Complaint[] {
  walk.steps += 1;
  if (walk.steps > MAX_STEPS || place.around.includes(schema)) return [];
  if (typeof schema === 'boolean')
    return ownFaults({}, place, walk).filter((one) => one.fault.keyword === 'false schema');
  const here = { ...place, around: [...place.around, schema] };
  const ref = refOf(schema);
  const target = ref === undefined ? undefined : resolveRef(walk.root, ref);
  const sameValue = [
    ...(target === undefined ? [] : [target]),
    ...schemaList(schema['allOf']),
    ...[schema['then'], schema['else']].filter(isSchema),
    ...schemaMap(schema['dependentSchemas']).map(([, part]) => part),
    ...schemaMap(schema['dependencies']).map(([, part]) => part),
  ];
  passOver(schema, here, walk);
  return [
    ...ownFaults(schema, here, walk),
    ...sameValue.flatMap((part) => collect(part, here, walk)),
    ...(['anyOf', 'oneOf'] as const).flatMap((keyword) => collectUnion(schema, keyword, { here, walk })),
    ...childSchemas(schema, place.value).flatMap(([key, part]) => collectChild(part, { key, place }, walk)),
  ];
}

function collectChild(schema: Schema, at: { key: string | number; place: Place }, walk: Walk): Complaint[] {
  const pointer = childPointer(at.place.pointer, at.key);
  if (!walk.reach.has(pointer)) return [];
  return collect(schema, { pointer, value: member(at.place.value, String(at.key)), around: [] }, walk);
}

/** Which schema applies to which member or item. A pattern is not tried: only what the validator said counts. */
function childSchemas(schema: JsonObject, value: JsonValue | undefined): [string | number, Schema][] {
  if (Array.isArray(value)) return itemSchemas(schema, value.length);
  if (!isJsonObject(value)) return [];
  const properties = new Map(schemaMap(schema['properties']));
  const patterns = schemaMap(schema['patternProperties']).map(([, part]) => part);
  const open = [schema['additionalProperties'], schema['unevaluatedProperties']].filter(isSchema);
  return Object.keys(value).flatMap((key) => {
    const known = properties.get(key);
    return [...(known === undefined ? open : [known]), ...patterns].map((part): [string, Schema] => [
      key,
      part,
    ]);
  });
}

function itemSchemas(schema: JsonObject, count: number): [number, Schema][] {
  const places = schemaList(schema['prefixItems'] ?? schema['items']);
  const rest = [schema['items'], schema['additionalItems'], schema['unevaluatedItems']].filter(isSchema);
  return Array.from({ length: count }, (_, index) => index).flatMap((index) => {
    const place = places[index];
    return (place === undefined ? rest : [place]).map((part): [number, Schema] => [index, part]);
  });
}

function collectUnion(
  schema: JsonObject,
  keyword: 'anyOf' | 'oneOf',
  at: { here: Place; walk: Walk },
): UnionComplaint[] {
  const { here, walk } = at;
  const parts = schemaList(schema[keyword]);
  const fault = walk.byPlace.get(here.pointer)?.find((one) => one.keyword === keyword);
  if (parts.length === 0) return [];
  const forms = parts.map((part) => ({ schema: part, complaints: collect(part, here, walk) }));
  if (fault === undefined) return [];
  const several = Array.isArray(fault.params['passingSchemas']);
  if (!several && forms.some((form) => form.complaints.length === 0)) return [];
  walk.used.add(keyOf(fault));
  return [{ kind: 'union', pointer: here.pointer, fault, schema, around: here.around, forms }];
}

/** What a validator says inside these keywords only explains the keyword's own fault. */
function passOver(schema: JsonObject, place: Place, walk: Walk): void {
  const { propertyNames, contains } = schema;
  if (isSchema(propertyNames)) collect(propertyNames, place, walk);
  if (!isSchema(contains) || !Array.isArray(place.value)) return;
  for (const index of place.value.keys()) collectChild(contains, { key: index, place }, walk);
}

function ownFaults(schema: JsonObject, place: Place, walk: Walk): PlainComplaint[] {
  const raised = (walk.byPlace.get(place.pointer) ?? []).filter((fault) => isRaisedBy(fault, schema));
  for (const fault of raised) walk.used.add(keyOf(fault));
  return raised.map((fault) => plain(fault, schema, place.around));
}

function isRaisedBy(fault: SchemaFault, schema: JsonObject): boolean {
  const { keyword, params } = fault;
  if (keyword === 'false schema') return true;
  if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'if') return false;
  const rule = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  if (rule === undefined) return false;
  if (keyword === 'required') return stringList(rule).includes(textParam(fault, 'missingProperty'));
  if (keyword === 'additionalProperties') {
    return member(schema['properties'], textParam(fault, 'additionalProperty')) === undefined;
  }
  if (keyword === 'items' || keyword === 'additionalItems') return true;
  if (keyword === 'type' && schema['nullable'] === true) return true;
  const name = Object.hasOwn(STATED, keyword) ? STATED[keyword as keyof typeof STATED] : 'limit';
  return params[name] === undefined || JSON.stringify(params[name]) === JSON.stringify(rule);
}

/** Where a validator repeats the keyword's value, which tells apart two schemas that complain at one place. */
const STATED = {
  type: 'type',
  enum: 'allowedValues',
  const: 'allowedValue',
  pattern: 'pattern',
  format: 'format',
  multipleOf: 'multipleOf',
} as const;
