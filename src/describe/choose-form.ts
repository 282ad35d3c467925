import type { JsonObject, JsonValue } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import type { Complaint, PlainComplaint, UnionComplaint } from './attribute-faults.ts';
import { formDistance, isTagFault, tagNames, type Form, type FormContext } from './form-distance.ts';
import { refName } from './describe-shape.ts';
import { flattenSchema, member, schemaMap, stringList, valueAt, type Schema } from './read-schema.ts';

/** A complaint as it will be told: unions are gone, only their nearest form is left. */
export interface Told {
  readonly complaint: PlainComplaint;
  /** Which form of a union was nearest, in words; empty outside unions. */
  readonly form: string;
  /** Every value that the place may have, where the forms of a union differ in just that. */
  readonly choices?: readonly JsonValue[];
  /** The choice that the rest of the value fits. */
  readonly fitting?: JsonValue;
  /** The union itself, where no form is nearer than another. */
  readonly whole?: UnionComplaint;
  /** For an unknown name: the missing one that it most likely is. */
  readonly renameTo?: string;
  /** For a missing name: the member that most likely is it, in an object that takes any name. */
  readonly sentAs?: string;
}

/** Each complaint once, and for a union what its nearest form needs instead of all that all forms say. */
export function chooseForms(complaints: readonly Complaint[], value: JsonValue, root: Schema): Told[] {
  return complaints.flatMap((one) =>
    one.kind === 'plain' ? [{ complaint: one, form: '' }] : chooseForm(one, value, root),
  );
}

function chooseForm(union: UnionComplaint, value: JsonValue, root: Schema): Told[] {
  const whole: Told = { complaint: { ...union, kind: 'plain' }, form: '', whole: union };
  if (Array.isArray(union.fault.params['passingSchemas'])) return [whole];
  const inside = union.forms.filter((form) => !isOtherKind(form, union.pointer));
  const [only, ...others] = inside;
  if (only === undefined || inside.every((form) => isAbout(form, union.pointer))) return [whole];
  if (others.length === 0) return chooseForms(only.complaints, value, root);
  return tellTag(union, inside, { value, root }) ?? tellNearest(union, inside, { value, root });
}

/** A form that asks for another kind of value altogether. */
function isOtherKind(form: Form, pointer: string): boolean {
  return form.complaints.some(
    (one) => one.kind === 'plain' && one.pointer === pointer && one.fault.keyword === 'type',
  );
}

/** A form whose complaints all concern the value itself and nothing in it. */
function isAbout(form: Form, pointer: string): boolean {
  return form.complaints.every(
    (one) =>
      one.pointer === pointer &&
      (one.kind === 'union' || !['required', 'additionalProperties'].includes(one.fault.keyword)),
  );
}

/** The member whose value names the form, where every form left complains of it alone or among others. */
function tellTag(union: UnionComplaint, forms: readonly Form[], context: FormContext): Told[] | undefined {
  const tags = tagNames(union, context.root);
  const tagged = forms.map((form) => splitTag(form, union.pointer, tags));
  const pointer = tagged[0]?.tag?.pointer;
  if (pointer === undefined || tagged.some(({ tag }) => tag?.pointer !== pointer)) return undefined;
  const received = valueAt(context.value, pointer);
  const choices = [...new Set(tagged.flatMap((one) => one.values))];
  const names = choices.filter((one) => typeof one === 'string');
  const near = typeof received === 'string' ? nearestNames(received, names, 1)[0] : undefined;
  const restDistance = ({ form, rest }: { form: Form; rest: Complaint[] }): number =>
    formDistance({ schema: form.schema, complaints: rest }, union, context);
  const [best, second] = tagged.toSorted(
    (a, b) =>
      Number(b.rest.length === 0) - Number(a.rest.length === 0) ||
      Number(b.values.includes(near ?? '')) - Number(a.values.includes(near ?? '')) ||
      restDistance(a) - restDistance(b),
  );
  if (best?.tag?.kind !== 'plain') return undefined;
  const isOnlyFit = best.rest.length === 0 && (second === undefined || second.rest.length > 0);
  const isNear = near !== undefined && best.values.includes(near);
  const fitting = isNear ? near : isOnlyFit ? best.values[0] : undefined;
  if (fitting === undefined) return [{ complaint: best.tag, form: '', choices }];
  return [
    { complaint: best.tag, form: '', choices, fitting },
    ...chooseForms(best.rest, context.value, context.root),
  ];
}

/** A form with its complaint about the tag apart from the rest. */
function splitTag(
  form: Form,
  pointer: string,
  tags: ReadonlySet<string>,
): { form: Form; tag: Complaint | undefined; rest: Complaint[]; values: JsonValue[] } {
  const tag = form.complaints.find((one) => isTagFault(one, pointer, tags));
  return {
    form,
    tag,
    rest: form.complaints.filter((one) => one !== tag),
    values: tag === undefined ? [] : allowedBy(tag),
  };
}

function allowedBy(tag: Complaint): JsonValue[] {
  const { allowedValue, allowedValues } = tag.fault.params;
  return Array.isArray(allowedValues) ? [...(allowedValues as readonly JsonValue[])] : [allowedValue ?? null];
}

function tellNearest(union: UnionComplaint, forms: readonly Form[], context: FormContext): Told[] {
  const [best] = forms
    .map((form) => ({
      form,
      cost: formDistance(form, union, context),
    }))
    .toSorted((a, b) => a.cost - b.cost);
  if (best === undefined) return [];
  const name = formName(union, best.form, context.root);
  return chooseForms(best.form.complaints, context.value, context.root).map((told) =>
    told.form === '' ? nameForm(told, name) : told,
  );
}

function nameForm(told: Told, form: string): Told {
  return { ...told, form };
}

function formName(union: UnionComplaint, form: Form, root: Schema): string {
  const flat = flattenSchema(form.schema, root);
  const title = typeof flat['title'] === 'string' ? flat['title'] : refName(form.schema);
  const tag = title ?? tagOf(flat);
  return `nearest of ${union.forms.length} forms: form ${union.forms.indexOf(form) + 1}${tag === undefined ? '' : `, ${tag}`}`;
}

function tagOf(flat: JsonObject): string | undefined {
  const tag = schemaMap(flat['properties']).find(
    ([, schema]) => member(schema as JsonValue, 'const') !== undefined,
  );
  if (tag !== undefined) return `${tag[0]} ${JSON.stringify(member(tag[1], 'const'))}`;
  const required = stringList(flat['required']).slice(0, 4);
  return required.length === 0 ? undefined : `with ${required.join(', ')}`;
}
