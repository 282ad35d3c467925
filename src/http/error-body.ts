import type { BrokerError, ErrorFacts } from '../core/broker-error.ts';
import type { ErrorCode } from '../core/error-codes.ts';
import type { JsonObject } from '../core/json.ts';
import type { ErrorAnswer } from './wire/error.ts';

/** What an error answer is made of; BrokerError and a tool's own failure both come to this. */
export interface ErrorParts {
  readonly code: ErrorCode;
  readonly message: string;
  readonly resolution: string;
  readonly retryable: boolean;
  readonly facts: ErrorFacts;
  readonly output?: JsonObject;
}

/**
 * The one flat error shape (design section 4). Members that do not apply are absent; `requestId` is undefined only
 * for a request that could not be parsed.
 */
export function errorBody(parts: ErrorParts | BrokerError, requestId: string | undefined): ErrorAnswer {
  const { facts } = parts;
  const output = 'output' in parts ? parts.output : undefined;
  return {
    ok: false,
    error: parts.code,
    message: parts.message,
    resolution: parts.resolution,
    retryable: parts.retryable,
    ...(facts.expectedFormat === undefined ? {} : { expected_format: facts.expectedFormat }),
    ...(facts.example === undefined ? {} : { example: facts.example }),
    ...(facts.retryAfter === undefined ? {} : { retry_after: facts.retryAfter }),
    ...(facts.details === undefined
      ? {}
      : { details: facts.details.map(({ path, message }) => ({ path, message })) }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(facts.invocationId === undefined ? {} : { invocation_id: facts.invocationId }),
    ...(facts.ref === undefined ? {} : { ref: facts.ref }),
    ...(output === undefined ? {} : { output }),
  };
}
