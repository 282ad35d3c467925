import type { ErrorCode } from '../core/error-codes.ts';

/**
 * The HTTP status of each code. Once a tool has started the status is 200, whatever became of it: nothing between
 * caller and broker then repeats a call that may have had an effect.
 */
export const ERROR_STATUS: Readonly<Record<ErrorCode, number>> = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  TOOL_BROKEN: 502,
  OVERLOADED: 503,
  TOOL_FAILED: 200,
  TOOL_RETRY: 200,
  TOOL_NEEDS_ACTION: 200,
  TOOL_CRASHED: 200,
  TIMEOUT: 200,
  RESULT_TOO_LARGE: 200,
};
