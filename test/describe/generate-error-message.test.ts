import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../src/core/error-codes.ts';
import { generateErrorMessage } from '../../src/describe/generate-error-message.ts';

const HARD = 'a "quoted" {brace} {}\n\\ line \u2028 \0';

describe('error messages', () => {
  it('[S3-10] write NOT_FOUND with its four members, in order', () => {
    const context = {
      error_code: 'NOT_FOUND',
      specific_message: 'No customer with ID CUST-999999',
      how_to_resolve: 'Check ID and retry',
      correct_format: 'CUST-######',
    };
    expect(generateErrorMessage('NOT_FOUND', context)).toBe(
      '{\n  "error": "NOT_FOUND",\n  "message": "No customer with ID CUST-999999",\n  "resolution": "Check ID and retry",\n  "example": "CUST-######"\n}',
    );
  });

  it('[S3-10] write INVALID_INPUT with field, value and format', () => {
    const context = {
      error_code: 'BAD_ID',
      field: 'customer_id',
      received_value: '12',
      expected_format: 'CUST-######',
    };
    expect(JSON.parse(generateErrorMessage('INVALID_INPUT', context))).toEqual({
      error: 'BAD_ID',
      message: 'Invalid customer_id: 12',
      expected_format: 'CUST-######',
      resolution: 'Provide value matching CUST-######',
    });
  });

  it('[S3-10] write RATE_LIMITED with retry_after as a number', () => {
    expect(
      JSON.parse(generateErrorMessage('RATE_LIMITED', { error_code: 'RATE_LIMITED', seconds: '30' })),
    ).toEqual({
      error: 'RATE_LIMITED',
      message: 'Rate limit exceeded',
      retry_after: 30,
      resolution: 'Wait 30 seconds before retrying',
    });
  });

  it.each(['NOPE', 'constructor', '__proto__', ''])(
    '[S3-10] write the unknown type %j as INVALID_INPUT',
    (type) => {
      const message = JSON.parse(
        generateErrorMessage(type, { field: 'a', received_value: 'b', expected_format: 'c' }),
      ) as object;
      expect(message).toEqual({
        error: 'INVALID_INPUT',
        message: 'Invalid a: b',
        expected_format: 'c',
        resolution: 'Provide value matching c',
      });
    },
  );

  it.each(['NOT_FOUND', 'INVALID_INPUT', 'RATE_LIMITED'])(
    '[S3-11] keep quotes, braces and line breaks of values in %s',
    (type) => {
      const keys = [
        'specific_message',
        'how_to_resolve',
        'correct_format',
        'field',
        'received_value',
        'expected_format',
        'seconds',
        'error_code',
      ];
      const message = JSON.parse(
        generateErrorMessage(type, Object.fromEntries(keys.map((key) => [key, HARD]))),
      ) as { error: string };
      expect(message.error).toBe(HARD);
      expect(JSON.stringify(message)).toContain('{brace} {}');
    },
  );

  it.each(['NOT_FOUND', 'INVALID_INPUT', 'RATE_LIMITED', 'OTHER'])(
    '[S3-11] never fail for a missing key in %s',
    (type) => {
      const message = JSON.parse(generateErrorMessage(type)) as { resolution: string; error: string };
      expect(message.resolution).not.toBe('');
      expect(message.error).toBe(type === 'OTHER' ? 'INVALID_INPUT' : type);
    },
  );

  it('[S3-11] are JSON for every type and context', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.anything()), (type, context) => {
        expect(JSON.parse(generateErrorMessage(type, context))).toHaveProperty('error');
      }),
    );
  });
});

describe('error codes', () => {
  it.each(Object.entries(ERROR_CODES))('[S3.3-5] say what to do: %s', (_code, { resolution }) => {
    expect(resolution).toMatch(/^[A-Z].{15,}\.$/u);
  });
});
