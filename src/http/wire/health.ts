import { Type } from 'typebox';

import { literals } from './literals.ts';

export const HealthSchema = Type.Object(
  { status: literals(['ok'], 'The process answers.') },
  { $id: 'Health', additionalProperties: false },
);

export const ReadinessSchema = Type.Object(
  {
    status: literals(
      ['ready', 'degraded'],
      '`degraded`: calls are taken, but something was refused at boot.',
    ),
    tools: Type.Integer({ minimum: 0, description: 'Approved tools.' }),
    refused: Type.Integer({ minimum: 0, description: 'Things refused at boot.' }),
    dead_policy_entries: Type.Integer({ minimum: 0, description: 'Approved entries without a tool.' }),
    reasons: Type.Optional(
      Type.Object(
        {
          refusals: Type.Array(Type.Ref('Refusal#')),
          dead_policy_entries: Type.Array(Type.Ref('DeadPolicyEntry#')),
        },
        { additionalProperties: false, description: 'For operators.' },
      ),
    ),
  },
  { $id: 'Readiness', additionalProperties: false },
);
