import { isJsonObject, type JsonValue } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { textParam, type Complaint, type UnionComplaint } from './attribute-faults.ts';
import { findStray } from './find-place.ts';
import { childPointer } from './json-pointer.ts';
import { flattenSchema, member, schemaMap, valueAt, type Schema } from './read-schema.ts';

const MAX_STRANGERS = 100;

export type Form = UnionComplaint['forms'][number];

export interface FormContext {
  readonly value: JsonValue;
  readonly root: Schema;
}

/** How far a value is from a form: another kind of value is farthest, then a wrong tag, then names, then values. */
export function formDistance(form: Form, union: UnionComplaint, context: FormContext): number {
  const tags = matchedTags(union, context);
  const sum = form.complaints.reduce((total, one) => total + weigh(one, { form, union, tags, context }), 0);
  return sum - knownMembers(form.schema, valueAt(context.value, union.pointer), context.root);
}

interface Weighing {
  readonly form: Form;
  readonly union: UnionComplaint;
  readonly tags: ReadonlySet<string>;
  readonly context: FormContext;
}

function weigh(one: Complaint, weighing: Weighing): number {
  const { union, tags, context } = weighing;
  const isHere = one.pointer === union.pointer;
  if (one.kind === 'union') {
    return isHere ? 1 + Math.min(...one.forms.map((inner) => formDistance(inner, one, context))) : 1;
  }
  const { keyword } = one.fault;
  if (isHere && keyword === 'type') return 1_000;
  if (isHere) return isNameFault(one) && isMisspelt(one, weighing) ? 1 : 5;
  if (!isMemberOf(one.pointer, union.pointer)) return 1;
  return isTagFault(one, union.pointer, tags) ? 40 : 3;
}

function isNameFault(one: Complaint): boolean {
  return ['required', 'additionalProperties', 'unevaluatedProperties'].includes(one.fault.keyword);
}

/** A missing name with a stranger that is nearly it, or the other way about; or one that stands at another place. */
function isMisspelt(one: Complaint, { form, union, context }: Weighing): boolean {
  const wantedAnywhere = union.forms.flatMap(missingNames);
  const object = valueAt(context.value, one.pointer);
  const missing = textParam(one.fault, 'missingProperty');
  if (missing === '') {
    const unknown = textParam(one.fault, 'additionalProperty') || textParam(one.fault, 'unevaluatedProperty');
    return nearestNames(unknown, wantedAnywhere, 1).some((name) => missingNames(form).includes(name));
  }
  const known = new Set(
    schemaMap(flattenSchema(form.schema, context.root)['properties']).map(([name]) => name),
  );
  const strangers = isJsonObject(object) ? Object.keys(object).filter((name) => !known.has(name)) : [];
  if (strangers.slice(0, MAX_STRANGERS).some((name) => nearestNames(name, wantedAnywhere, 1)[0] === missing))
    return true;
  return (
    isJsonObject(context.value) &&
    findStray(missing, one.pointer, { args: context.value, root: context.root }) !== undefined
  );
}

function missingNames(form: Form): string[] {
  return form.complaints.map((one) => textParam(one.fault, 'missingProperty')).filter((name) => name !== '');
}

function isMemberOf(pointer: string, object: string): boolean {
  return pointer.startsWith(`${object}/`) && !pointer.slice(object.length + 1).includes('/');
}

/** A complaint about the member whose value names the form. */
export function isTagFault(one: Complaint, pointer: string, tags: ReadonlySet<string>): boolean {
  return (
    one.kind === 'plain' &&
    isMemberOf(one.pointer, pointer) &&
    ['const', 'enum'].includes(one.fault.keyword) &&
    tags.has(one.pointer.slice(pointer.length + 1))
  );
}

/** Members with a fixed value in two forms or more: what tells the forms apart. */
export function tagNames(union: UnionComplaint, root: Schema): Set<string> {
  const fixed = union.forms.flatMap((form) =>
    schemaMap(flattenSchema(form.schema, root)['properties'])
      .filter(([, schema]) => member(schema, 'const') !== undefined || member(schema, 'enum') !== undefined)
      .map(([name]) => name),
  );
  return new Set(fixed.filter((name, index) => fixed.indexOf(name) < index));
}

/** Tags that name one of the forms rightly: then the others are out of the question. */
function matchedTags(union: UnionComplaint, context: FormContext): Set<string> {
  const object = valueAt(context.value, union.pointer);
  const names = [...tagNames(union, context.root)].filter(
    (name) => isJsonObject(object) && Object.hasOwn(object, name),
  );
  return new Set(
    names.filter((name) => union.forms.some((form) => isTaggedRight(form, name, { union, context }))),
  );
}

function isTaggedRight(
  form: Form,
  name: string,
  at: { union: UnionComplaint; context: FormContext },
): boolean {
  const schema = new Map(schemaMap(flattenSchema(form.schema, at.context.root)['properties'])).get(name);
  const isFixed = member(schema, 'const') !== undefined || member(schema, 'enum') !== undefined;
  return isFixed && !form.complaints.some((one) => one.pointer === childPointer(at.union.pointer, name));
}

/** How many of the members sent a form knows of: a form that names them is the one that was meant. */
function knownMembers(schema: Schema, value: JsonValue | undefined, root: Schema): number {
  if (!isJsonObject(value)) return 0;
  const known = new Map(schemaMap(flattenSchema(schema, root)['properties']));
  return Object.keys(value).filter((name) => known.has(name)).length;
}
