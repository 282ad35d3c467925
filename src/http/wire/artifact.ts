import { Type } from 'typebox';

export const UploadQuerySchema = Type.Object(
  {
    name: Type.String({
      pattern: '^[^/\\\\\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]{1,200}$',
      description: 'The file name: no separators, no control characters, at most 200 characters.',
      examples: ['table.csv'],
    }),
  },
  { additionalProperties: false },
);

export const UploadedSchema = Type.Object(
  {
    artifact_id: Type.String(),
    size_bytes: Type.Integer({ minimum: 0 }),
    sha256: Type.String({ description: 'Lower-case hex.' }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'UploadedArtifact', additionalProperties: false },
);

export const ArtifactIdParamsSchema = Type.Object(
  { id: Type.String({ maxLength: 256 }) },
  { additionalProperties: false },
);
