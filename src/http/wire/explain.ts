import { Type, type Static } from 'typebox';

import { literals } from './literals.ts';

const REASONS = [
  'allowed',
  'unknown',
  'refused_at_boot',
  'not_approved',
  'not_for_caller',
  'not_in_profile',
  'not_in_run',
  'empty_shelf',
  'budget_used_up',
] as const;

export const ExplainQuerySchema = Type.Object(
  {
    ref: Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'As a caller writes it: `id@version`, the name, `package:command`.',
      examples: ['create_pdf'],
    }),
    caller: Type.Optional(
      Type.String({ maxLength: 64, description: 'By name. Absent: the owner of the run, else you.' }),
    ),
    run: Type.Optional(Type.String({ maxLength: 64, description: 'The id of a run.' })),
  },
  { additionalProperties: false },
);

export const ExplanationSchema = Type.Object(
  {
    ref: Type.String({ description: 'As it was asked.' }),
    tool: Type.Optional(Type.String({ description: 'The exact ref, where there is such a tool.' })),
    origin: Type.Optional(Type.String()),
    caller: Type.String(),
    run: Type.Optional(Type.String()),
    allowed: Type.Boolean({ description: 'Whether a call would be let through now.' }),
    reason: literals(REASONS, 'What decides.'),
    detail: Type.String({ description: 'The same as a sentence.' }),
    policy_place: Type.Optional(
      Type.String({ description: 'What in the policy decided it: `file:line:column`, or a variable.' }),
    ),
    policy_revision: Type.String(),
  },
  { $id: 'Explanation', additionalProperties: false },
);

export type ExplainQuery = Static<typeof ExplainQuerySchema>;
