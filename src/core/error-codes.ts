/** What a code means to a caller. `resolution` is the fallback when a place has nothing better to say. */
interface ErrorCodeFacts {
  readonly retryable: boolean;
  readonly resolution: string;
}

/**
 * Every code that an answer can carry (design section 4). `http/error-status.ts` gives each its status; the
 * OpenAPI document and the README list the same codes, and a test compares all four.
 */
export const ERROR_CODES = {
  INVALID_INPUT: {
    retryable: true,
    resolution: 'Correct what `message` and `details` name, then call again.',
  },
  UNAUTHENTICATED: {
    retryable: false,
    resolution: 'Send `Authorization: Bearer <key>` with a key that is known and has not expired.',
  },
  FORBIDDEN: { retryable: false, resolution: 'Use a credential, Host and Origin that this service accepts.' },
  NOT_FOUND: { retryable: false, resolution: 'Use one of the names that the list gives you.' },
  METHOD_NOT_ALLOWED: { retryable: false, resolution: 'Use a method that the `Allow` header names.' },
  NOT_ACCEPTABLE: {
    retryable: false,
    resolution: 'Ask for application/json, or for a media type that this answer can have.',
  },
  REQUEST_TIMEOUT: { retryable: true, resolution: 'Send the whole request sooner.' },
  CONFLICT: { retryable: false, resolution: 'Use a new Idempotency-Key for a new call.' },
  PAYLOAD_TOO_LARGE: { retryable: true, resolution: 'Send less: the limit stands in `message`.' },
  URI_TOO_LONG: { retryable: false, resolution: 'Use a shorter path.' },
  UNSUPPORTED_MEDIA_TYPE: { retryable: false, resolution: 'Send `Content-Type: application/json`.' },
  RANGE_NOT_SATISFIABLE: {
    retryable: false,
    resolution: 'Ask for a range inside the size in `Content-Range`.',
  },
  RATE_LIMITED: { retryable: true, resolution: 'Wait `retry_after` seconds, then call again.' },
  QUOTA_EXCEEDED: { retryable: false, resolution: 'Stop calling: this budget is used up.' },
  HEADERS_TOO_LARGE: { retryable: false, resolution: 'Send fewer or shorter headers.' },
  INTERNAL: {
    retryable: false,
    resolution: 'Report the request_id to the operator; do not repeat the call unchanged.',
  },
  TOOL_BROKEN: { retryable: false, resolution: 'Report the tool to its operator and use another one.' },
  OVERLOADED: { retryable: true, resolution: 'Wait `retry_after` seconds, then call again.' },
  TOOL_FAILED: {
    retryable: false,
    resolution: 'Read `message` and `output`; the same call will fail again.',
  },
  TOOL_RETRY: { retryable: true, resolution: 'Fix what `message` names, if anything, then call again.' },
  TOOL_NEEDS_ACTION: { retryable: false, resolution: 'Ask a person to do what `message` says first.' },
  TOOL_CRASHED: { retryable: false, resolution: 'Call with less data, or report the tool to its operator.' },
  TIMEOUT: { retryable: true, resolution: 'Ask for less work in one call, then call again.' },
  RESULT_TOO_LARGE: { retryable: false, resolution: 'Ask for a smaller result.' },
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes with which a tool that has started may end; the status stays 200. */
export type ToolFailureCode =
  | 'INVALID_INPUT'
  | 'TIMEOUT'
  | 'RESULT_TOO_LARGE'
  | 'TOOL_BROKEN'
  | 'TOOL_FAILED'
  | 'TOOL_RETRY'
  | 'TOOL_NEEDS_ACTION'
  | 'TOOL_CRASHED';
