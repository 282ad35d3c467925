import { BrokerError } from '../core/broker-error.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import { readJsonText } from './json/read-json.ts';

/**
 * Arguments as an object: model APIs hand them over as JSON text, which is read by the same rules as a body.
 * Throws INVALID_INPUT.
 */
export function readArguments(given: JsonObject | string | undefined): JsonObject | undefined {
  if (typeof given !== 'string') return given;
  const value = readJsonText(given, { what: 'The text in arguments', at: '/arguments' });
  if (isJsonObject(value)) return value;
  throw new BrokerError(
    'INVALID_INPUT',
    `The text in arguments must be a JSON object; received ${quote(value)}.`,
    {
      expectedFormat: 'a JSON object, or its text',
      details: [{ path: '/arguments', message: 'must be the text of a JSON object' }],
    },
  );
}
