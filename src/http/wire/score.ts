import { Type, type Static } from 'typebox';

import type { JsonObject } from '../../core/json.ts';

const score = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

export const EvaluationSchema = Type.Object(
  {
    scores: Type.Object(
      {
        clarity: score('Few vague and ambiguous words.'),
        completeness: score('All sections are there.'),
        accuracy: score('The name and every parameter are named.'),
        actionability: score('It says when and how to use the tool.'),
        consistency: score('One style of names.'),
      },
      { additionalProperties: false },
    ),
    findings: Type.Array(
      Type.Object(
        {
          set: Type.Unsafe<'score' | 'own'>({
            type: 'string',
            enum: ['score', 'own'],
            description: '`score`: a term that a score counted. `own`: what the scores do not see.',
          }),
          rule: Type.String(),
          message: Type.String(),
          path: Type.Optional(Type.String({ description: 'JSON pointer to the parameter.' })),
          adjusts: Type.Optional(
            Type.Object(
              { criterion: Type.String(), to: Type.Number() },
              { additionalProperties: false, description: 'Where a formula is known to be wrong.' },
            ),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'Evaluation', additionalProperties: false, description: 'How good a description is for a model.' },
);

export const EvaluateBodySchema = Type.Object(
  {
    description: Type.String({ maxLength: 200_000, description: 'The text as a model would read it.' }),
    tool: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 256 }),
        parameters: Type.Optional(
          Type.Array(
            Type.Object({ name: Type.String({ maxLength: 256 }) }, { additionalProperties: false }),
            { maxItems: 1_000 },
          ),
        ),
        input_schema: Type.Optional(
          Type.Unsafe<JsonObject>({
            type: 'object',
            additionalProperties: true,
            description: 'In place of `parameters`.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        description: '## add\n\nAdds two numbers.',
        tool: { name: 'add', parameters: [{ name: 'a' }, { name: 'b' }] },
      },
    ],
  },
);

export type EvaluateBody = Static<typeof EvaluateBodySchema>;
