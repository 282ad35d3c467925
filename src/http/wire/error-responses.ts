import { ERROR_CODES, type ErrorCode } from '../../core/error-codes.ts';
import { ERROR_STATUS } from '../error-status.ts';
import { QUOTA_HEADERS } from './quota.ts';

const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } };

const HEADERS: Partial<Record<ErrorCode, Readonly<Record<string, object>>>> = {
  UNAUTHENTICATED: {
    'WWW-Authenticate': {
      type: 'string',
      description: '`Bearer`, with `error` where a credential was presented.',
    },
  },
  CONFLICT: RETRY_AFTER,
  RATE_LIMITED: { ...RETRY_AFTER, ...QUOTA_HEADERS },
  OVERLOADED: RETRY_AFTER,
  RANGE_NOT_SATISFIABLE: { 'Content-Range': { type: 'string', description: '`bytes *` and the size.' } },
};

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  INVALID_INPUT: 'query parameter detail must be one of concise, detailed; received "full".',
  UNAUTHENTICATED: 'A key is needed here.',
  FORBIDDEN: 'This route is for operators; this credential is not one.',
  NOT_FOUND: 'There is no tool "creat_pdf" for you.',
  NOT_ACCEPTABLE: 'Accept "image/png" allows nothing that this answer can be.',
  REQUEST_TIMEOUT: 'The request did not arrive in time.',
  PAYLOAD_TOO_LARGE: 'The body is larger than 1048576 bytes.',
  URI_TOO_LONG: 'A part of the path is longer than 256 characters.',
  UNSUPPORTED_MEDIA_TYPE: 'Content-Type must be application/json; received "text/plain".',
  RANGE_NOT_SATISFIABLE: 'The range "bytes=900-" is outside the 500 bytes of the file.',
  HEADERS_TOO_LARGE: 'The request line and headers are more than 16 KiB.',
  INTERNAL: 'The service failed on this request; the fault is ours.',
  CONFLICT: 'This Idempotency-Key was used for another tool or other arguments.',
  QUOTA_EXCEEDED:
    "The run's budget calls is used up: limit 20, used 20. It does not reset; the run ends at 2026-11-30T13:00:00.000Z.",
  RATE_LIMITED: 'At most 10 calls in 60 s are taken from writer; this one came too soon.',
  TOOL_BROKEN: 'The launcher did not start.',
  OVERLOADED: 'Too many calls are waiting (64); this one did not start.',
};

/** What Node or Fastify may answer on any route. */
const ANYWHERE = [
  'INVALID_INPUT',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'REQUEST_TIMEOUT',
  'HEADERS_TOO_LARGE',
  'INTERNAL',
] as const;

/** The error answers of a route for its OpenAPI `responses`: those named and those that every route can give. */
export function errorResponses(...codes: readonly ErrorCode[]): Record<number, object> {
  const all = [...ANYWHERE, ...codes].toSorted((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b]);
  const statuses = [...new Set(all.map((code) => ERROR_STATUS[code]))];
  return Object.fromEntries(
    statuses.map((status) => [status, errorResponse(all.filter((code) => ERROR_STATUS[code] === status))]),
  );
}

/** Several codes can share a status. */
function errorResponse(codes: readonly ErrorCode[]): object {
  const headers = Object.assign({}, ...codes.map((code) => HEADERS[code])) as object;
  const examples = codes.map((code) => [code, { value: exampleOf(code) }] as const);
  const [first, second] = examples;
  return {
    description: codes.map((code) => `${code}. ${ERROR_CODES[code].resolution}`).join(' '),
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': {
        schema: { $ref: 'Error#' },
        ...(second === undefined
          ? { example: first?.[1].value }
          : { examples: Object.fromEntries(examples) as object }),
      },
    },
  };
}

function exampleOf(code: ErrorCode): object {
  const { resolution, retryable } = ERROR_CODES[code];
  return {
    ok: false,
    error: code,
    message: MESSAGES[code] ?? resolution,
    resolution,
    retryable,
    ...(code === 'OVERLOADED' || code === 'RATE_LIMITED' ? { retry_after: 2 } : {}),
    request_id: '2f1c1c1e-5d0e-4c55-9d1b-0f6f3a3d9e55',
  };
}
