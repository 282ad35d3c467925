import { isJsonObject, type JsonObject, type JsonValue } from '../src/core/json.ts';
import { childPointer, pointerSteps } from '../src/describe/json-pointer.ts';
import { valueAt } from '../src/describe/read-schema.ts';
import type { Break, RepairCase, RepairSubject } from './repair-cases.ts';

/** A copy with the value at a pointer replaced; undefined takes a member or item out. */
export function withValue(whole: JsonValue, pointer: string, value: JsonValue | undefined): JsonValue {
  const [step, ...rest] = pointerSteps(pointer);
  if (step === undefined) return value ?? null;
  const below = rest.map((one) => childPointer('', one)).join('');
  if (Array.isArray(whole)) {
    const items = [...(whole as readonly JsonValue[])];
    if (rest.length === 0 && value === undefined) items.splice(Number(step), 1);
    else items[Number(step)] = withValue(items[Number(step)] ?? null, below, value);
    return items;
  }
  const members = new Map(Object.entries(isJsonObject(whole) ? whole : {}));
  if (rest.length === 0 && value === undefined) members.delete(step);
  else members.set(step, withValue(members.get(step) ?? {}, below, value));
  return Object.fromEntries(members);
}

/** Every way that we know to break these arguments; some of them may still be valid. */
export function breakArguments(subject: RepairSubject): RepairCase[] {
  const whole = subject.arguments;
  const places = placesIn(whole);
  return [
    ...places.flatMap((pointer) => valueBreaks(subject, pointer)),
    ...places.flatMap((pointer) => nameBreaks(subject, pointer)),
    ...nestingBreaks(subject),
    wrapAll(subject),
  ];
}

function placesIn(value: JsonValue, pointer = ''): string[] {
  const inner: [string | number, JsonValue][] = Array.isArray(value)
    ? [...(value as readonly JsonValue[]).entries()]
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  return [pointer, ...inner.flatMap(([key, one]) => placesIn(one, childPointer(pointer, key)))];
}

function valueBreaks(subject: RepairSubject, pointer: string): RepairCase[] {
  if (pointer === '') return [];
  const value = valueAt(subject.arguments, pointer) ?? null;
  return breaksOf(value).map((one) => ({
    subject,
    kind: one.kind,
    places: [pointer],
    exact: one.exact ?? false,
    broken: withValue(subject.arguments, pointer, one.value) as JsonObject,
  }));
}

function breaksOf(value: JsonValue): Break[] {
  const wrap: Break[] = [
    { kind: 'wrong nesting', value: [value] },
    { kind: 'wrong nesting', value: { value } },
  ];
  if (typeof value === 'string') return [...textBreaks(value), ...wrap];
  if (typeof value === 'number') return [...numberBreaks(value), ...wrap];
  if (typeof value === 'boolean') {
    return [
      { kind: 'stringified', value: String(value), exact: true },
      ...wrongTypes('maybe', 7, null, []),
      ...wrap,
    ];
  }
  if (Array.isArray(value)) return [...listBreaks(value as readonly JsonValue[]), ...wrap];
  if (value === null) return [...wrongTypes('nothing at all', 5, {})];
  return [
    { kind: 'stringified', value: JSON.stringify(value), exact: true },
    ...wrongTypes('text', 7, null, [], true),
    ...wrap,
  ];
}

function wrongTypes(...values: readonly JsonValue[]): Break[] {
  return values.map((value) => ({ kind: 'wrong type', value }));
}

function textBreaks(value: string): Break[] {
  const enums = [
    `${value}s`,
    value.slice(0, -1),
    value.toUpperCase(),
    `${value.slice(0, 1)}${value.slice(2)}`,
    'zzzz',
  ];
  return [
    ...wrongTypes(12_345, true, null, {}, ['zz', 'yy']),
    { kind: 'out of range', value: '' },
    { kind: 'out of range', value: `${value} `.repeat(6_000).slice(0, 20_000) },
    ...enums.map((one): Break => ({ kind: 'bad enum', value: one })),
    ...['not a valid value!', '31/12/2026', `${value}!`].map((one): Break => ({
      kind: 'bad format',
      value: one,
    })),
  ];
}

function numberBreaks(value: number): Break[] {
  return [
    { kind: 'stringified', value: String(value), exact: true },
    ...wrongTypes('many', true, null, {}, []),
    ...[-1_000_000_000, 1_000_000_000_000, 0, value + 0.5, -value, value + 0.001].map((one): Break => ({
      kind: 'out of range',
      value: one,
    })),
  ];
}

function listBreaks(value: readonly JsonValue[]): Break[] {
  const [first] = value;
  return [
    { kind: 'stringified', value: JSON.stringify(value), exact: true },
    ...wrongTypes('text', 7, null, {}, true),
    { kind: 'out of range', value: [] },
    {
      kind: 'out of range',
      value: Array.from({ length: 1_200 }, (_, index) => value[index % value.length] ?? null),
    },
    ...(first === undefined ? [] : [{ kind: 'out of range', value: [...value, first] } satisfies Break]),
    ...(value.length === 1 && first !== undefined
      ? [{ kind: 'wrong nesting', value: first, exact: true } satisfies Break]
      : []),
  ];
}

/** Members left out, renamed or added. */
function nameBreaks(subject: RepairSubject, pointer: string): RepairCase[] {
  const object = valueAt(subject.arguments, pointer);
  if (!isJsonObject(object)) return [];
  const put = (value: JsonValue): JsonObject => withValue(subject.arguments, pointer, value) as JsonObject;
  const added = ['zq_unknown', 'verbose_output'].map((name): RepairCase => ({
    subject,
    kind: 'extra',
    places: [childPointer(pointer, name)],
    exact: true,
    broken: put({ ...object, [name]: 'x' }),
  }));
  return [
    ...added,
    ...Object.keys(object).flatMap((name) => memberBreaks({ subject, pointer, object, name })),
  ];
}

interface Member {
  readonly subject: RepairSubject;
  readonly pointer: string;
  readonly object: JsonObject;
  readonly name: string;
}

function memberBreaks({ subject, pointer, object, name }: Member): RepairCase[] {
  const place = childPointer(pointer, name);
  const put = (value: JsonValue): JsonObject => withValue(subject.arguments, pointer, value) as JsonObject;
  const { [name]: value, ...rest } = object;
  const left: RepairCase = { subject, kind: 'missing', places: [place], exact: false, broken: put(rest) };
  const renamed = misspell(name)
    .filter((wrong) => !Object.hasOwn(object, wrong))
    .map((wrong): RepairCase => ({
      subject,
      kind: 'misspelt',
      places: [place, childPointer(pointer, wrong)],
      exact: true,
      broken: put({ ...rest, [wrong]: value ?? null }),
    }));
  return [left, ...renamed];
}

function misspell(name: string): string[] {
  const middle = Math.floor(name.length / 2);
  const swapped =
    name.slice(0, middle - 1) +
    name.slice(middle, middle + 1) +
    name.slice(middle - 1, middle) +
    name.slice(middle + 1);
  const forms = [
    name.slice(0, middle) + name.slice(middle + 1),
    swapped,
    name.slice(0, middle) + name.slice(middle, middle + 1) + name.slice(middle),
    name.replaceAll(/_([a-z])/gu, (_, letter: string) => letter.toUpperCase()),
    name.toUpperCase(),
    `${name}s`,
  ];
  return [...new Set(forms)].filter((form) => form !== name && form.length > 1);
}

/** A member moved out of its object, or into one beside it. */
function nestingBreaks(subject: RepairSubject): RepairCase[] {
  const whole = subject.arguments;
  const objects = Object.entries(whole).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
  const pulled = objects.flatMap(([outer, object]) =>
    Object.keys(object).map((name) => [`/${outer}`, '', name] as const),
  );
  const pushed = objects.flatMap(([outer]) =>
    Object.keys(whole)
      .filter((name) => name !== outer)
      .map((name) => ['', `/${outer}`, name] as const),
  );
  return [...pulled, ...pushed].flatMap(([from, to, name]) => {
    const [source, target] = [`${from}${childPointer('', name)}`, `${to}${childPointer('', name)}`];
    if (valueAt(whole, target) !== undefined) return [];
    const value = valueAt(whole, source);
    return [
      moved(
        subject,
        [source, target],
        withValue(withValue(whole, source, undefined), target, value) as JsonObject,
      ),
    ];
  });
}

function moved(subject: RepairSubject, places: string[], broken: JsonObject): RepairCase {
  return { subject, kind: 'wrong nesting', places, exact: true, broken };
}

function wrapAll(subject: RepairSubject): RepairCase {
  return moved(subject, [''], { arguments: subject.arguments });
}
