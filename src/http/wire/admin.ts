import { Type } from 'typebox';

import { literals } from './literals.ts';

export const RefusalSchema = Type.Object(
  {
    origin: Type.String(),
    source: Type.String({ description: 'The file or place at fault.' }),
    reason: Type.String(),
    ref: Type.Optional(Type.String()),
  },
  { $id: 'Refusal', additionalProperties: false },
);

export const DeadEntrySchema = Type.Object(
  { entry: Type.String(), reason: Type.String() },
  { $id: 'DeadPolicyEntry', additionalProperties: false },
);

export const KnownToolSchema = Type.Object(
  {
    ref: Type.String(),
    name: Type.String(),
    version: Type.String(),
    kind: literals(['tool', 'skill'], 'A tool answers with data, a skill with a file.'),
    approved: Type.Boolean(),
    reason: literals(['approved', 'not_approved'], 'Why it is or is not there for callers.'),
    digest: Type.String(),
    findings: Type.Array(Type.String(), { description: 'Worth knowing; did not stop it.' }),
  },
  { $id: 'KnownTool', additionalProperties: false },
);

export const CatalogSchema = Type.Object(
  {
    policy_revision: Type.String(),
    origins: Type.Array(
      Type.Object(
        { origin: Type.String(), third_party: Type.Boolean(), tools: Type.Array(Type.Ref('KnownTool#')) },
        { additionalProperties: false },
      ),
      { description: 'Every tool that is known, approved or not.' },
    ),
    repositories: Type.Array(
      Type.Object({ origin: Type.String(), status: Type.String() }, { additionalProperties: false }),
      { description: 'How each repository of skills was loaded.' },
    ),
    refusals: Type.Array(Type.Ref('Refusal#'), { description: 'What was found at boot and is not there.' }),
    findings: Type.Array(
      Type.Object(
        { origin: Type.String(), source: Type.String(), message: Type.String() },
        { additionalProperties: false },
      ),
      { description: 'Worth knowing of what is there all the same.' },
    ),
    dead_policy_entries: Type.Array(Type.Ref('DeadPolicyEntry#'), {
      description: 'Approved entries without a tool.',
    }),
  },
  { $id: 'Catalog', additionalProperties: false },
);
