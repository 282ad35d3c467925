import { ERROR_CODES, type ErrorCode } from './error-codes.ts';
import type { JsonValue } from './json.ts';
import type { QuotaView } from './quota-view.ts';

/** One thing that is wrong with an input. `path` is a JSON pointer (RFC 6901) into the arguments; '' is the root. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** All that an error answer can say besides its code and message. Absent members do not apply. */
export interface ErrorFacts {
  readonly resolution?: string;
  readonly retryable?: boolean;
  readonly expectedFormat?: string;
  readonly example?: JsonValue;
  /** Whole seconds, at least 1; equals the Retry-After header. */
  readonly retryAfter?: number;
  readonly details?: readonly Fault[];
  readonly ref?: string;
  readonly invocationId?: string;
  /** Quotas that the call met, for the RateLimit header fields. */
  readonly quotas?: readonly QuotaView[];
}

/**
 * A refusal that may be shown to a caller as it stands. Anything else that is thrown becomes INTERNAL with a
 * fixed text, and its cause goes to the log only.
 */
export class BrokerError extends Error {
  readonly code: ErrorCode;
  readonly resolution: string;
  readonly retryable: boolean;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message);
    this.name = 'BrokerError';
    this.code = code;
    this.resolution = facts.resolution ?? ERROR_CODES[code].resolution;
    this.retryable = facts.retryable ?? ERROR_CODES[code].retryable;
    this.facts = facts;
  }
}
