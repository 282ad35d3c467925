import { isJsonObject, type JsonObject, type JsonValue } from '../src/core/json.ts';
import { childPointer, pointerSteps } from '../src/describe/json-pointer.ts';
import { valueAt } from '../src/describe/read-schema.ts';
import { withValue } from './repair-breaks.ts';

/** What a caller sees of a failed call, and all that this repairer may look at besides what it sent. */
export interface ErrorBody {
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
  readonly example?: JsonValue;
}

/** Follows an error's sentences, as a small model would: each detail mends one place. It knows no schema. */
export function repair(sent: JsonObject, body: ErrorBody): JsonObject {
  // Items are taken out last and from the end, so that the other places keep their numbers.
  const details = body.details.toSorted(
    (a, b) =>
      Number(removes(a.message)) - Number(removes(b.message)) ||
      (removes(a.message) ? compare(b.path, a.path) : 0),
  );
  return details.reduce<JsonValue>((args, detail) => mend(args, detail, body), sent) as JsonObject;
}

function removes(message: string): boolean {
  return message.includes('Remove it.');
}

function compare(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function mend(args: JsonValue, detail: { path: string; message: string }, body: ErrorBody): JsonValue {
  const { path, message } = detail;
  const value = valueAt(args, path);
  const parent = path.slice(0, path.lastIndexOf('/'));
  const rename = quoted(message, 'Rename it to ');
  if (typeof rename === 'string') return move(args, path, childPointer(parent, rename));
  const target = /Move it to (\S+)\./u.exec(message)?.[1];
  if (target !== undefined) return move(args, path, target);
  if (message.includes('Move its members one level up.') && isJsonObject(value))
    return unwrap(args, path, value);
  if (removes(message)) return withValue(args, path, undefined);
  if (message.includes('This is JSON inside a string.') && typeof value === 'string')
    return withValue(args, path, parse(value));
  const limit = /Shorten it to (\d+) /u.exec(message)?.[1];
  if (limit !== undefined) return withValue(args, path, shorten(value, Number(limit)));
  const only = /Send only one of (.*?)\.(?: \(|$)/u.exec(message)?.[1];
  if (only !== undefined) return keepFirst(args, path, parse(`[${only}]`));
  const said =
    quoted(message, 'Send ') ?? quoted(message, 'Did you mean ') ?? quoted(message, 'For example: ');
  return withValue(args, path, said ?? fromExample(body.example, path) ?? null);
}

/** The JSON that follows a phrase: the longest piece up to a full stop or question mark that can be read. */
function quoted(message: string, phrase: string): JsonValue | undefined {
  const start = message.lastIndexOf(phrase);
  if (start < 0) return undefined;
  const rest = message.slice(start + phrase.length);
  for (let end = rest.length; end > 0; end -= 1) {
    if (rest[end] !== '.' && rest[end] !== '?') continue;
    const value = parse(rest.slice(0, end));
    if (value !== undefined) return value;
  }
  return undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function move(args: JsonValue, from: string, to: string): JsonValue {
  return withValue(withValue(args, from, undefined), to, valueAt(args, from));
}

function unwrap(args: JsonValue, path: string, members: JsonObject): JsonValue {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const outer = valueAt(withValue(args, path, undefined), parent);
  return withValue(args, parent, { ...(isJsonObject(outer) ? outer : {}), ...members });
}

function shorten(value: JsonValue | undefined, limit: number): JsonValue | undefined {
  if (typeof value === 'string') return Array.from(value).slice(0, limit).join('');
  return Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, limit) : value;
}

function keepFirst(args: JsonValue, path: string, names: JsonValue | undefined): JsonValue {
  const [, ...others] = Array.isArray(names) ? (names as readonly string[]) : [];
  return others.reduce((rest, name) => withValue(rest, childPointer(path, name), undefined), args);
}

/** The example's value at the same place; the first item stands for all. */
function fromExample(example: JsonValue | undefined, path: string): JsonValue | undefined {
  if (example === undefined) return undefined;
  const first = pointerSteps(path).map((step) => childPointer('', /^\d+$/u.test(step) ? 0 : step));
  return valueAt(example, first.join(''));
}
