import { Type, type TSchema } from 'typebox';

import { RUN_REQUEST_BOUNDS, type RunCeilings } from '../../broker/run-request.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const BUDGETS = {
  calls: 'Calls in all.',
  result_bytes: 'Bytes of `output` as JSON, all calls together.',
  artifact_bytes: 'Raw bytes of files, made by calls or put in, all together.',
  run_time_ms: 'Time in which tools ran, all calls together.',
  concurrent_calls: 'Calls at once.',
} as const;

const budgets = (callsPerTool: string) => ({
  calls: count(BUDGETS.calls),
  calls_per_tool: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: callsPerTool }),
  result_bytes: count(BUDGETS.result_bytes),
  artifact_bytes: count(BUDGETS.artifact_bytes),
  run_time_ms: count(BUDGETS.run_time_ms),
  concurrent_calls: count(BUDGETS.concurrent_calls),
});

export const RunLimitsSchema = Type.Object(
  budgets('Calls of one tool, by its name; a tool that is not named has only the total.'),
  { $id: 'RunLimits', additionalProperties: false, description: 'What one run may use up.' },
);

export const RunUsageSchema = Type.Object(budgets('Calls by the name of the tool.'), {
  $id: 'RunUsage',
  additionalProperties: false,
  description: 'Amounts in the units of the limits.',
});

const TOOLS = Type.Array(Type.String(), {
  description: 'The refs that it may call, sorted; fixed at its start.',
});
const EXPIRES = Type.String({ format: 'date-time', description: 'From then on it is gone.' });

export const StartedRunSchema = Type.Object(
  {
    run_id: Type.String(),
    token: Type.String({
      description: 'The bearer credential of this run. It is shown this once; only its hash is kept.',
    }),
    tools: TOOLS,
    limits: Type.Ref('RunLimits#'),
    ignored: Type.Array(Type.String(), {
      description: 'Entries of `tools` that lead to no tool of yours, as they were written.',
    }),
    expires_at: EXPIRES,
  },
  { $id: 'StartedRun', additionalProperties: false },
);

export const RunSchema = Type.Object(
  {
    run_id: Type.String(),
    profile: Type.Optional(Type.String()),
    tools: TOOLS,
    labels: Type.Record(Type.String(), Type.String()),
    limits: Type.Ref('RunLimits#'),
    used: Type.Ref('RunUsage#'),
    left: Type.Ref('RunUsage#'),
    started_at: Type.String({ format: 'date-time' }),
    expires_at: EXPIRES,
  },
  { $id: 'Run', additionalProperties: false, description: 'One job of an agent.' },
);

export const RunIdParamsSchema = Type.Object(
  { id: Type.String({ maxLength: 256 }) },
  { additionalProperties: false },
);

/**
 * For the OpenAPI document: the broker checks the body itself, so that its faults name the field and the ceiling.
 * A test holds the two together.
 */
export function startRunBodySchema(ceilings: RunCeilings): TSchema {
  const { maxTools, maxToolCharacters, maxLabels, maxLabelCharacters } = RUN_REQUEST_BOUNDS;
  return Type.Object(
    {
      profile: Type.Optional(Type.String({ description: 'A profile of the policy; it can only narrow.' })),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: maxToolCharacters }), {
          maxItems: maxTools,
          description:
            'Names, refs, `package` or `package:command`. Absent: all that you may call; [] is none. No bundle expands here.',
        }),
      ),
      limits: Type.Optional(askedLimits(ceilings.limits)),
      ttl_seconds: upTo(Math.floor(ceilings.ttlMs / 1_000), 'How long it lives at most.'),
      labels: Type.Optional(
        Type.Record(Type.String(), Type.String({ maxLength: maxLabelCharacters }), {
          maxProperties: maxLabels,
          description: 'Your own notes; shown with the run.',
        }),
      ),
    },
    {
      additionalProperties: false,
      examples: [{ tools: ['create_pdf@1', 'make_plan'], limits: { calls: 20 }, ttl_seconds: 600 }],
    },
  );
}

function askedLimits(limits: RunCeilings['limits']): TSchema {
  const perTool = Type.Integer({ minimum: 1, maximum: limits.calls });
  return Type.Object(
    {
      calls: upTo(limits.calls, BUDGETS.calls),
      calls_per_tool: Type.Optional(
        Type.Record(Type.String(), perTool, { description: 'Calls of one tool of this run.' }),
      ),
      result_bytes: upTo(limits.resultBytes, BUDGETS.result_bytes),
      artifact_bytes: upTo(limits.artifactBytes, BUDGETS.artifact_bytes),
      run_time_ms: upTo(limits.runTimeMs, BUDGETS.run_time_ms),
      concurrent_calls: upTo(limits.concurrentCalls, BUDGETS.concurrent_calls),
    },
    { additionalProperties: false, description: 'Absent ones have the ceilings of the policy.' },
  );
}

function upTo(maximum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
}
