import { Type, type Static } from 'typebox';

import type { JsonObject } from '../../core/json.ts';
import { literals } from './literals.ts';

export const ArtifactSchema = Type.Object(
  {
    name: Type.String(),
    media_type: Type.String(),
    base64: Type.Optional(
      Type.String({
        contentEncoding: 'base64',
        description: 'The bytes; absent with `artifact=link` and above the inline limit.',
      }),
    ),
    size_bytes: Type.Integer({ minimum: 0, description: 'Of the decoded bytes.' }),
  },
  { $id: 'Artifact', additionalProperties: false, description: 'The file that a call produced.' },
);

export const DownloadSchema = Type.Object(
  {
    artifact_id: Type.String(),
    url: Type.String({ description: 'Path on this service; its owner alone can read it.' }),
    sha256: Type.String({ description: 'Lower-case hex.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Download', additionalProperties: false },
);

export const InvokeSuccessSchema = Type.Object(
  {
    ok: Type.Unsafe<true>({ type: 'boolean', const: true }),
    invocation_id: Type.String(),
    ref: Type.String({ description: '`id@version` of the tool that ran.' }),
    output: Type.Unsafe<JsonObject>({
      type: 'object',
      additionalProperties: true,
      description: "All that belongs in a model's context.",
    }),
    artifact: Type.Optional(Type.Ref('Artifact#')),
    download: Type.Optional(Type.Ref('Download#')),
    duration_ms: Type.Number({ description: 'From admission to answer.' }),
  },
  { $id: 'InvokeSuccess', additionalProperties: false, description: 'The tool ran and succeeded.' },
);

export const InvokeAnswerSchema = Type.Union([Type.Ref('InvokeSuccess#'), Type.Ref('Error#')], {
  $id: 'InvokeAnswer',
  description: 'What the tool did: `ok` tells which of the two it is.',
});

const FileName = Type.String({ minLength: 1, maxLength: 255, description: 'A bare file name.' });

const RequestFileSchema = Type.Union(
  [
    Type.Object(
      {
        name: FileName,
        base64: Type.String({ contentEncoding: 'base64', description: 'The bytes.' }),
        media_type: Type.Optional(Type.String({ maxLength: 255 })),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        name: FileName,
        artifact_id: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Of an upload or of an answer.',
        }),
      },
      { additionalProperties: false },
    ),
  ],
  { description: 'A file for the tool: its bytes, or one that lies in the store.' },
);

export const InvokeBodySchema = Type.Object(
  {
    arguments: Type.Optional(
      Type.Unsafe<JsonObject | string>({
        type: ['object', 'string'],
        additionalProperties: true,
        description:
          'The arguments of the tool; absent means none. A string is taken where it is the JSON text of an object.',
      }),
    ),
    files: Type.Optional(
      Type.Array(RequestFileSchema, {
        maxItems: 64,
        description: 'Only for tools with `takes_files: true`.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ arguments: { body: 'Hello.' } }] },
);

/** For the OpenAPI document; the route reads the header itself. Other headers are none of its business. */
export const InvokeHeadersSchema = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        '1 to 255 visible ASCII characters, of your run or else of your key. Kept for the run, else for 24 hours.',
    }),
  ),
});

export const InvokeQuerySchema = Type.Object(
  {
    artifact: Type.Optional(
      literals(
        ['inline', 'link'],
        'Where the file of the answer goes: into it (the default), or a link only.',
      ),
    ),
  },
  { additionalProperties: false },
);

export type InvokeBody = Static<typeof InvokeBodySchema>;
