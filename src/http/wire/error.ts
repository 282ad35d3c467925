import { Type, type Static } from 'typebox';

import { ERROR_CODES, type ErrorCode } from '../../core/error-codes.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { literals } from './literals.ts';

const CODES = Object.keys(ERROR_CODES) as ErrorCode[];

export const ErrorSchema = Type.Object(
  {
    ok: Type.Unsafe<false>({ type: 'boolean', const: false }),
    error: literals(CODES, 'What went wrong, for a program.'),
    message: Type.String({
      description:
        'What went wrong, for a model or a person: the field, what was received and what was expected.',
    }),
    resolution: Type.String({ description: 'What to do next.' }),
    retryable: Type.Boolean({
      description: 'Whether a later or a changed call may work. False: the same call fails again.',
    }),
    expected_format: Type.Optional(Type.String()),
    example: Type.Optional(Type.Unsafe<JsonValue>({ description: 'Arguments that are right.' })),
    retry_after: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds to wait; equals the `Retry-After` header.' }),
    ),
    details: Type.Optional(
      Type.Array(
        Type.Object(
          {
            path: Type.String({
              description:
                'JSON pointer (RFC 6901) to the place: into the arguments where they break the schema of the tool, ' +
                'else into the body; empty for the whole.',
            }),
            message: Type.String(),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    request_id: Type.Optional(
      Type.String({ description: 'Names the request in the log. Absent only when it could not be parsed.' }),
    ),
    invocation_id: Type.Optional(Type.String()),
    ref: Type.Optional(Type.String({ description: 'The tool: `id@version`.' })),
    output: Type.Optional(
      Type.Unsafe<JsonObject>({
        type: 'object',
        additionalProperties: true,
        description: 'What a failed tool left.',
      }),
    ),
  },
  {
    $id: 'Error',
    additionalProperties: false,
    description: 'The one shape of every error, on every route.',
  },
);

export type ErrorAnswer = Static<typeof ErrorSchema>;
