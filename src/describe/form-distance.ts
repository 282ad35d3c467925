import { isJsonObject, type JsonValue } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { textParam, type Complaint, type UnionComplaint } from './attribute-faults.ts';
import { findStray } from './find-place.ts';
import { flattenSchema, member, schemaMap, valueAt, type Schema } from './read-schema.ts';

const MAX_STRANGERS = 100;

export type Form = UnionComplaint['forms'][number];

export interface FormContext {
  readonly value: JsonValue;
  readonly root: Schema;
}

/** How far a value is from a form: another kind of value is farthest, then a wrong tag, then names, then values. */
export function formDistance(form: Form, union: UnionComplaint, context: FormContext): number {
  const tags = tagNames(union, context.root);
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
  const { form, union, tags, context } = weighing;
  const isHere = one.pointer === union.pointer;
  if (one.kind === 'union') {
    return isHere ? 1 + Math.min(...one.forms.map((inner) => formDistance(inner, one, context))) : 1;
  }
  const { keyword } = one.fault;
  if (isHere && keyword === 'type') return 1_000;
  if (isHere) return isNameFault(one) && isMisspelt(one, form, context) ? 1 : 5;
  if (!isMemberOf(one.pointer, union.pointer)) return 1;
  return isTagFault(one, union.pointer, tags) ? 40 : 3;
}

function isNameFault(one: Complaint): boolean {
  return ['required', 'additionalProperties', 'unevaluatedProperties'].includes(one.fault.keyword);
}

/** A missing name with a stranger that is nearly it, or the other way about; or one that stands at another place. */
function isMisspelt(one: Complaint, form: Form, context: FormContext): boolean {
  const missing = textParam(one.fault, 'missingProperty');
  const object = valueAt(context.value, one.pointer);
  const known = new Set(
    schemaMap(flattenSchema(form.schema, context.root)['properties']).map(([name]) => name),
  );
  if (missing !== '') {
    const strangers = isJsonObject(object)
      ? Object.keys(object)
          .filter((name) => !known.has(name))
          .slice(0, MAX_STRANGERS)
      : [];
    if (nearestNames(missing, strangers, 1).length > 0) return true;
    return (
      isJsonObject(context.value) &&
      findStray(missing, one.pointer, { args: context.value, root: context.root }) !== undefined
    );
  }
  const unknown = textParam(one.fault, 'additionalProperty') || textParam(one.fault, 'unevaluatedProperty');
  const wanted = form.complaints
    .map((other) => textParam(other.fault, 'missingProperty'))
    .filter((name) => name !== '');
  return nearestNames(unknown, wanted, 1).length > 0;
}

function isMemberOf(pointer: string, object: string): boolean {
  return pointer.startsWith(`${object}/`) && !pointer.slice(object.length + 1).includes('/');
}

/** A complaint about the member whose value names the form. */
export function isTagFault(one: Complaint, pointer: string, tags: ReadonlySet<string>): boolean {
  return (
    one.kind === 'plain' &&
    isMemberOf(one.pointer, pointer) &&
    (one.fault.keyword === 'const' ||
      (one.fault.keyword === 'enum' && tags.has(one.pointer.slice(pointer.length + 1))))
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

/** How many of the members sent a form knows of: a form that names them is the one that was meant. */
function knownMembers(schema: Schema, value: JsonValue | undefined, root: Schema): number {
  if (!isJsonObject(value)) return 0;
  const known = new Map(schemaMap(flattenSchema(schema, root)['properties']));
  return Object.keys(value).filter((name) => known.has(name)).length;
}
