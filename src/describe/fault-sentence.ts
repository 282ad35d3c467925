import { canonicalJson, type JsonValue } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import { textParam } from './attribute-faults.ts';
import type { Told } from './choose-form.ts';
import { expectation, jsonType, showValues } from './describe-shape.ts';
import { findStray, parentPointer, placeFor } from './find-place.ts';
import { childPointer, pointerSteps } from './json-pointer.ts';
import {
  flattenSchema,
  isSchema,
  member,
  schemaList,
  stringList,
  valueAt,
  type Schema,
} from './read-schema.ts';
import { exampleFor } from './example-for.ts';
import { satisfies } from './satisfies.ts';
import { membersAt } from './schemas-at.ts';
import type { Sentence, Telling } from './sentence.ts';
import { suggestValue } from './suggest-value.ts';
import { misnamedArgument, refusedName, unknownArgument } from './unknown-argument.ts';

const MAX_EXAMPLE = 400;

/**
 * The words for one fault. Sentence forms are fixed, so that a program can follow them too:
 * `Missing.` or `Received …` or `Unknown argument …`; then `Expected …`; then, where the broker can tell, exactly one
 * of `Send <JSON>.`, `Did you mean <JSON>?`, `For example: <JSON>.`, `Rename it to "…".`, `Move it to <pointer>.`,
 * `Remove it.`
 */
export function faultSentence(told: Told, telling: Telling): Sentence {
  const sentence = sentenceFor(told, telling);
  return told.form === '' ? sentence : { ...sentence, message: `${sentence.message} (${told.form})` };
}

function sentenceFor(told: Told, telling: Telling): Sentence {
  const { fault } = told.complaint;
  const name = (key: string): string => textParam(fault, key);
  switch (fault.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies':
      if (told.sentAs !== undefined)
        return misnamedArgument(told.sentAs, name('missingProperty'), { told, telling });
      return missing(name('missingProperty'), told, telling);
    case 'additionalProperties':
      return unknownArgument(name('additionalProperty'), told, telling);
    case 'unevaluatedProperties':
      return unknownArgument(name('unevaluatedProperty'), told, telling);
    case 'propertyNames':
      return refusedName(name('propertyName'), told, telling);
    case 'uniqueItems':
      return repeated(told, telling);
    default:
      return wrongValue(told, telling);
  }
}

function repeated(told: Told, telling: Telling): Sentence {
  const { pointer, schema } = told.complaint;
  const value = valueAt(telling.args, pointer);
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  const places = new Map<string, number>();
  let second = -1;
  let first = 0;
  for (const [index, item] of items.entries()) {
    const text = canonicalJson(item);
    if (second < 0 && places.has(text)) [first, second] = [places.get(text) ?? 0, index];
    if (!places.has(text)) places.set(text, index);
  }
  const rule = 'Expected no item twice.';
  const once = [...places.values()].map((index) => items[index] ?? null);
  const text = once.length > MAX_EXAMPLE ? undefined : JSON.stringify(once);
  if (text === undefined || text.length > MAX_EXAMPLE) {
    return { path: childPointer(pointer, second), message: `The same as item ${first}. ${rule} Remove it.` };
  }
  const message = `${items.length - once.length} of ${items.length} items repeat an earlier one. ${rule} Send ${text}.`;
  return { path: pointer, message, mends: satisfies(once, schema, telling.root) ? [pointer] : [] };
}

function missing(name: string, told: Told, telling: Telling): Sentence {
  const { pointer, fault } = told.complaint;
  const path = childPointer(pointer, name);
  const stray = findStray(name, pointer, telling);
  if (stray !== undefined) {
    const from = childPointer(stray, name);
    return {
      path: from,
      message: `The required ${quote(name)} stands at the wrong place. Move it to ${path}.`,
      mends: [path, from],
    };
  }
  const schema = memberSchema(name, told, telling.root);
  const trigger = textParam(fault, 'property');
  const why = trigger === '' ? '' : ` It is needed beside ${quote(trigger)}.`;
  if (schema === undefined) return { path, message: `Missing.${why} Expected any value.` };
  const expected = expectation(schema, telling.root);
  return {
    path,
    expected,
    message: `Missing.${why} Expected ${expected}.${forExample(schema, telling.root)}`,
  };
}

/** The schema of a member, looked up in every schema that applies to the object. */
function memberSchema(name: string, told: Told, root: Schema): Schema | undefined {
  const places = [told.complaint.schema, ...told.complaint.around.toReversed()];
  for (const place of places) {
    const found = member(flattenSchema(place, root)['properties'], name);
    if (isSchema(found)) return found;
  }
  return membersAt(root, told.complaint.pointer).get(name);
}

function forExample(schema: Schema, root: Schema): string {
  const example = exampleFor(schema, root);
  const text = example === undefined ? undefined : JSON.stringify(example);
  return text === undefined || text.length > MAX_EXAMPLE ? '' : ` For example: ${text}.`;
}

function wrongValue(told: Told, telling: Telling): Sentence {
  const { pointer, fault, schema } = told.complaint;
  const value = valueAt(telling.args, pointer);
  const counts = fault.keyword === 'minLength' || fault.keyword === 'maxLength';
  const received = `Received ${receivedWords(value, counts)}.`;
  if (Array.isArray(fault.params['passingSchemas'])) return fitsSeveral(told, telling, received);
  const expected = expectedWords(told, telling.root);
  if (Object.keys(schema).length === 0) return { path: pointer, message: `${received} It ${fault.message}.` };
  const place = strayPlace(pointer, telling);
  if (place !== undefined) {
    return {
      path: pointer,
      expected,
      message: `${received} Expected ${expected}. Move it to ${place}.`,
      mends: [pointer, place],
    };
  }
  const hint = suggestValue({ value, schema, told, telling });
  return { path: pointer, expected, message: `${received} Expected ${expected}.${hint}` };
}

/** For a member of an object that takes any name: it may have been meant for another object, which names it. */
function strayPlace(pointer: string, telling: Telling): string | undefined {
  const name = pointerSteps(pointer).at(-1);
  const parent = parentPointer(pointer);
  if (name === undefined || Array.isArray(valueAt(telling.args, parent))) return undefined;
  return membersAt(telling.root, parent).has(name) ? undefined : placeFor(name, parent, telling);
}

function expectedWords(told: Told, root: Schema): string {
  const { fault, schema } = told.complaint;
  const { contains } = schema;
  if (told.choices !== undefined) return `one of ${showValues(told.choices)}`;
  if (fault.keyword === 'contains')
    return `at least one item that is ${expectation(isSchema(contains) ? contains : true, root)}`;
  if (fault.keyword === 'not') return 'another value: this one is excluded';
  if (fault.keyword === 'false schema') return 'nothing here';
  const limit = fault.params['limit'];
  const isTuple = fault.keyword === 'items' || fault.keyword === 'additionalItems';
  return `${expectation(schema, root)}${isTuple && typeof limit === 'number' ? `, at most ${limit} items` : ''}`;
}

/** What came, with its type: a model that sees `"5"` beside `integer` knows what to do. */
function receivedWords(value: JsonValue | undefined, counts: boolean): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (counts && typeof value === 'string') return `${Array.from(value).length} characters: ${quote(value)}`;
  if (Array.isArray(value)) return `an array of ${value.length}: ${quote(value)}`;
  return `the ${jsonType(value)} ${quote(value)}`;
}

/** Too many forms fit: almost always members that exclude each other. */
function fitsSeveral(told: Told, telling: Telling, received: string): Sentence {
  const { pointer, schema, fault } = told.complaint;
  const parts = schemaList(schema['oneOf']);
  const fitting = (fault.params['passingSchemas'] as readonly number[]).map((index) => parts[index] ?? true);
  const required = fitting.map((form) => stringList(flattenSchema(form, telling.root)['required']));
  const apart = required.map((names, index) =>
    names.filter((name) => required.every((others, other) => other === index || !others.includes(name))),
  );
  const choice = apart.every((names) => names.length > 0)
    ? ` Send only one of ${showValues(apart.map((names) => names[0] ?? ''))}.`
    : '';
  return {
    path: pointer,
    expected: 'exactly one form',
    message: `${received} It fits ${fitting.length} of ${parts.length} forms; expected exactly one.${choice}`,
  };
}
