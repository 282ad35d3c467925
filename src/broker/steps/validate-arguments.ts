import type { CatalogEntry } from '../../catalog/entry.ts';
import { BrokerError, type Fault } from '../../core/broker-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/quote.ts';
import { describeArgumentFaults } from '../../describe/describe-argument-faults.ts';
import type { Call } from '../call.ts';

/**
 * Step 3: the tool's own check in its own words, then its schema. Both are run, so that one answer names every
 * fault; the check's first sentence is the message. Throws INVALID_INPUT or PAYLOAD_TOO_LARGE. Changes nothing.
 */
export function validateArguments(call: Call, entry: CatalogEntry): JsonObject {
  const given: JsonValue = call.request.arguments === undefined ? {} : call.request.arguments;
  if (!isJsonObject(given)) throw notAnObject(given, entry);
  call.argumentBytes = Buffer.byteLength(JSON.stringify(given));
  if (call.argumentBytes > entry.limits.maxArgumentBytes) throw tooLarge(call.argumentBytes, entry);
  const own = entry.check?.(given) ?? [];
  const schema = entry.validate(given);
  if (own.length === 0 && schema.length === 0) return given;
  const described = describeArgumentFaults(entry.spec, given, schema);
  throw new BrokerError('INVALID_INPUT', own[0]?.message ?? described.message, {
    ...described,
    details: mergeFaults(own, described.details),
    ref: entry.ref,
  });
}

/**
 * Where both speak of one place, the schema's entry is the fuller; a sentence about the arguments as a whole
 * stands in `message` already.
 */
function mergeFaults(own: readonly Fault[], schema: readonly Fault[]): readonly Fault[] {
  if (schema.length === 0) return own;
  const described = new Set(['', ...schema.map((fault) => fault.path)]);
  return [...schema, ...own.filter((fault) => !described.has(fault.path))];
}

function notAnObject(given: JsonValue, entry: CatalogEntry): BrokerError {
  return new BrokerError('INVALID_INPUT', `arguments must be a JSON object; received ${quote(given)}.`, {
    ref: entry.ref,
    expectedFormat: 'a JSON object',
    details: [{ path: '', message: `must be an object; received ${quote(given)}` }],
    ...(entry.spec.examples?.[0] === undefined ? {} : { example: entry.spec.examples[0].arguments }),
  });
}

function tooLarge(bytes: number, entry: CatalogEntry): BrokerError {
  const limit = entry.limits.maxArgumentBytes;
  return new BrokerError(
    'PAYLOAD_TOO_LARGE',
    `arguments are ${bytes} bytes; ${entry.ref} takes at most ${limit}.`,
    {
      ref: entry.ref,
      resolution: `Send arguments of at most ${limit} bytes as JSON.`,
    },
  );
}
