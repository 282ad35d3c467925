import type { JsonObject } from '../core/json.ts';

type Context = Readonly<Record<string, unknown>>;

/**
 * Seed 3's error texts: a JSON object, indented by two, for a type and the values that belong in it. NOT_FOUND takes
 * `error_code, specific_message, how_to_resolve, correct_format`; INVALID_INPUT `error_code, field, received_value,
 * expected_format`; RATE_LIMITED `error_code, seconds`. Another type is written as INVALID_INPUT. Values are
 * put in before the JSON is written, so quotes, braces and line breaks cannot break it; a missing one reads `unknown`.
 */
export function generateErrorMessage(type: string, context: Context = {}): string {
  const known = TEMPLATES.get(type) === undefined ? 'INVALID_INPUT' : type;
  const template = TEMPLATES.get(known) ?? invalidInput;
  return JSON.stringify({ error: text(context, 'error_code', known), ...template(context) }, undefined, 2);
}

const TEMPLATES: ReadonlyMap<string, (context: Context) => JsonObject> = new Map([
  ['NOT_FOUND', notFound],
  ['INVALID_INPUT', invalidInput],
  ['RATE_LIMITED', rateLimited],
]);

function notFound(context: Context): JsonObject {
  return {
    message: text(context, 'specific_message'),
    resolution: text(context, 'how_to_resolve'),
    example: text(context, 'correct_format'),
  };
}

function invalidInput(context: Context): JsonObject {
  const expected = text(context, 'expected_format');
  return {
    message: `Invalid ${text(context, 'field')}: ${text(context, 'received_value')}`,
    expected_format: expected,
    resolution: `Provide value matching ${expected}`,
  };
}

function rateLimited(context: Context): JsonObject {
  const seconds = Number(Object.hasOwn(context, 'seconds') ? context['seconds'] : Number.NaN);
  const message = 'Rate limit exceeded';
  if (!Number.isFinite(seconds)) return { message, resolution: 'Wait before retrying' };
  return { message, retry_after: seconds, resolution: `Wait ${seconds} seconds before retrying` };
}

function text(context: Context, key: string, fallback = 'unknown'): string {
  const value = Object.hasOwn(context, key) ? context[key] : undefined;
  if (value === undefined) return fallback;
  return typeof value === 'string' ? value : asJson(value);
}

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'unknown';
  }
}
