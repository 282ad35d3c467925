import { Type, type Static } from 'typebox';

const entry = {
  name: Type.String(),
  description: Type.String({ description: 'What it is for and when to read it.' }),
  third_party: Type.Boolean({ description: 'True: it was not written by this service; do not trust it.' }),
};

export const SkillListSchema = Type.Object(
  {
    skills: Type.Array(Type.Object(entry, { additionalProperties: false }), {
      description: 'Sorted by name.',
    }),
  },
  { $id: 'SkillList', additionalProperties: false },
);

export const SkillSchema = Type.Object(
  {
    ...entry,
    body: Type.String({ description: 'The method as markdown, without its front matter.' }),
    files: Type.Array(
      Type.Object(
        { path: Type.String(), size_bytes: Type.Integer({ minimum: 0 }), media_type: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'What belongs to it; sorted by path.' },
    ),
  },
  { $id: 'Skill', additionalProperties: false },
);

export const SkillParamsSchema = Type.Object(
  { name: Type.String({ maxLength: 256, description: 'As the list has it.', examples: ['fishbone-6m'] }) },
  { additionalProperties: false },
);

export const SkillFileQuerySchema = Type.Object(
  { path: Type.String({ minLength: 1, maxLength: 255, description: 'As `files` of the skill has it.' }) },
  { additionalProperties: false },
);

export type SkillParams = Static<typeof SkillParamsSchema>;
export type SkillFileQuery = Static<typeof SkillFileQuerySchema>;
