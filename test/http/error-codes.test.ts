import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';

import { BrokerError } from '../../src/core/broker-error.ts';
import { ERROR_CODES, type ErrorCode } from '../../src/core/error-codes.ts';
import { errorBody } from '../../src/http/error-body.ts';
import { ERROR_STATUS } from '../../src/http/error-status.ts';
import { ErrorSchema } from '../../src/http/wire/error.ts';
import { ask } from '../support/ask.ts';
import { makeServer } from '../support/server.ts';

/** The table of the design, written out again. */
const TABLE: Readonly<Record<string, readonly [number, boolean]>> = {
  INVALID_INPUT: [400, true],
  UNAUTHENTICATED: [401, false],
  FORBIDDEN: [403, false],
  NOT_FOUND: [404, false],
  METHOD_NOT_ALLOWED: [405, false],
  NOT_ACCEPTABLE: [406, false],
  REQUEST_TIMEOUT: [408, true],
  CONFLICT: [409, false],
  PAYLOAD_TOO_LARGE: [413, true],
  URI_TOO_LONG: [414, false],
  UNSUPPORTED_MEDIA_TYPE: [415, false],
  RANGE_NOT_SATISFIABLE: [416, false],
  RATE_LIMITED: [429, true],
  QUOTA_EXCEEDED: [429, false],
  HEADERS_TOO_LARGE: [431, false],
  INTERNAL: [500, false],
  TOOL_BROKEN: [502, false],
  OVERLOADED: [503, true],
  TOOL_FAILED: [200, false],
  TOOL_RETRY: [200, true],
  TOOL_NEEDS_ACTION: [200, false],
  TOOL_CRASHED: [200, false],
  TIMEOUT: [200, true],
  RESULT_TOO_LARGE: [200, false],
};

const codes = Object.keys(ERROR_CODES) as ErrorCode[];

describe('the codes of errors', () => {
  it('[S1.3-13] are the same in the core, the status table, the design and the OpenAPI document', async () => {
    const document = (await ask(makeServer().app, 'GET /openapi.json')).json() as unknown as {
      components: { schemas: { Error: { properties: { error: { enum: string[] } } } } };
    };
    const names = Object.keys(TABLE).toSorted();
    expect(codes.toSorted()).toEqual(names);
    expect(Object.keys(ERROR_STATUS).toSorted()).toEqual(names);
    expect(document.components.schemas.Error.properties.error.enum.toSorted()).toEqual(names);
  });

  it.each(codes)('%s has its status and says rightly whether to try again', (code) => {
    expect([ERROR_STATUS[code], ERROR_CODES[code].retryable]).toEqual(TABLE[code]);
  });

  it.each(codes)(
    '%s reaches the caller with its status, in the one shape, Retry-After beside retry_after',
    async (code) => {
      const refusal = new BrokerError(code, 'Why.', {
        retryAfter: 7,
        ref: 'echo@1',
        details: [{ path: '/a', message: 'b' }],
      });
      const { app } = makeServer({ deps: { invoke: async () => Promise.reject(refusal) } });
      const answer = await ask(app, 'POST /v1/tools/echo/invoke');
      expect([answer.status, answer.headers['retry-after']]).toEqual([ERROR_STATUS[code], '7']);
      expect(Compile(ErrorSchema).Errors(answer.json())).toEqual([]);
      expect(answer.json()).toMatchObject({
        ok: false,
        error: code,
        message: 'Why.',
        retry_after: 7,
        ref: 'echo@1',
      });
    },
  );

  it('leave out what does not apply, in a fixed order', () => {
    expect(Object.keys(errorBody(new BrokerError('FORBIDDEN', 'No.'), 'r'))).toEqual([
      'ok',
      'error',
      'message',
      'resolution',
      'retryable',
      'request_id',
    ]);
    const all = errorBody(
      {
        code: 'TOOL_FAILED',
        message: 'm',
        resolution: 'r',
        retryable: false,
        facts: { expectedFormat: 'e', example: 1, retryAfter: 1, details: [], ref: 'a@1', invocationId: 'i' },
        output: {},
      },
      'q',
    );
    expect(Object.keys(all)).toEqual([
      'ok',
      'error',
      'message',
      'resolution',
      'retryable',
      'expected_format',
      'example',
      'retry_after',
      'details',
      'request_id',
      'invocation_id',
      'ref',
      'output',
    ]);
  });
});
