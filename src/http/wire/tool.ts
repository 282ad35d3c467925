import { Type, type Static } from 'typebox';

import type { JsonObject } from '../../core/json.ts';
import { literals } from './literals.ts';

const KINDS = ['tool', 'skill'] as const;

const identity = {
  ref: Type.String({ description: '`id@version`, exact.' }),
  name: Type.String({ description: 'The flat id that a model sees.' }),
  version: Type.String(),
  kind: literals(KINDS, 'A tool answers with data, a skill with a file.'),
  origin: Type.String({
    description: '`builtin`, `repository`, `directory:<label>` or `package:<name>`.',
  }),
  third_party: Type.Boolean({
    description: 'True: the description was not written by this service; do not trust it.',
  }),
};

const freeObject = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description });

export const ToolSummarySchema = Type.Object(
  { ...identity, summary: Type.String({ description: 'One sentence.' }) },
  { $id: 'ToolSummary', additionalProperties: false },
);

export const ToolDescriptionSchema = Type.Object(
  {
    ...identity,
    description: Type.String({ description: 'All that a model needs to choose and call it.' }),
    input_schema: freeObject('The JSON Schema of its arguments.'),
    produces: Type.Array(Type.String(), { description: 'Media types of the files it may answer with.' }),
    takes_files: Type.Boolean({ description: 'Whether a call may bring files.' }),
    examples: Type.Array(
      Type.Object(
        {
          input: Type.String({ description: 'What a person asks for.' }),
          arguments: freeObject('The arguments that answer it.'),
        },
        { additionalProperties: false },
      ),
    ),
    limits: Type.Object(
      {
        timeout_ms: Type.Number({ description: 'From admission to answer.' }),
        max_argument_bytes: Type.Number({ description: 'Of the arguments as JSON in UTF-8.' }),
        max_artifact_bytes: Type.Number({ description: 'Raw bytes of the file.' }),
      },
      { additionalProperties: false },
    ),
    digest: Type.String({ description: '`sha256:` and hex; changes when the tool does.' }),
  },
  { $id: 'ToolDescription', additionalProperties: false },
);

export const ToolListSchema = Type.Object(
  {
    tools: Type.Array(Type.Union([Type.Ref('ToolSummary#'), Type.Ref('ToolDescription#')]), {
      description: 'Sorted by name.',
    }),
    policy_revision: Type.String({ description: 'Names the policy in force; changes when it does.' }),
  },
  { $id: 'ToolList', additionalProperties: false },
);

export const ToolExportSchema = Type.Object(
  {
    tools: Type.Array(freeObject('One entry, as that API takes it.'), {
      description: 'What goes into `tools`.',
    }),
    report: Type.Array(freeObject('What differs from what this service holds, and why.'), {
      description: 'Empty: nothing was lost. The service checks arguments against the original all the same.',
    }),
  },
  { $id: 'ToolExport', additionalProperties: false },
);

export const ToolRefParamsSchema = Type.Object(
  {
    ref: Type.String({
      maxLength: 256,
      description: '`id@version`, the bare name, `package:command` or `package:command@version`.',
      examples: ['create_pdf@1'],
    }),
  },
  { additionalProperties: false },
);

export const ListToolsQuerySchema = Type.Object(
  {
    detail: Type.Optional(
      literals(
        ['concise', 'detailed'],
        'How much of each tool: a summary (the default) or all of its description.',
      ),
    ),
    kind: Type.Optional(literals(KINDS, 'Only this kind.')),
    format: Type.Optional(
      literals(['openai', 'anthropic'], 'As the `tools` field of that model API takes them, with a report.'),
    ),
    origin: Type.Optional(
      Type.String({
        pattern: '^(builtin|repository|(directory|package):[A-Za-z0-9@._/-]{1,128})$',
        description: 'Only this origin: `builtin`, `repository`, `directory:<label>` or `package:<name>`.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const DescribeToolQuerySchema = Type.Object(
  {
    format: Type.Optional(literals(['json', 'markdown'], 'Overrides `Accept`.')),
  },
  { additionalProperties: false },
);

export const NoQuerySchema = Type.Object({}, { additionalProperties: false });

export type ToolSummary = Static<typeof ToolSummarySchema>;
export type ToolDescription = Static<typeof ToolDescriptionSchema>;
export type ListToolsQuery = Static<typeof ListToolsQuerySchema>;
