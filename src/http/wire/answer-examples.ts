/** What the answers of the routes look like, for the OpenAPI document. A test holds each against its schema. */
const IDENTITY = {
  ref: 'create_pdf@1',
  name: 'create_pdf',
  version: '1',
  kind: 'skill',
  origin: 'builtin',
  third_party: false,
};

const DOWNLOAD = {
  artifact_id: 'NkPY7AU1bGrqNz1bpH6JdqbO3urnYwVK',
  sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  expires_at: '2026-11-30T13:00:00.000Z',
};

const REFUSAL = {
  origin: 'repository',
  source: 'skills/status-update/SKILL.md',
  ref: 'status_update@1',
  reason: 'its front matter has no description',
};

const DEAD_ENTRY = { entry: 'status_update@1', reason: 'its front matter has no description' };

const RUN_LIMITS = {
  calls: 20,
  calls_per_tool: { create_pdf: 2 },
  result_bytes: 268_435_456,
  artifact_bytes: 1_073_741_824,
  run_time_ms: 3_600_000,
  concurrent_calls: 16,
};

const RUN = {
  run_id: 'q1Xo5i0zqkE0v7l2B8m3Ag',
  tools: ['create_pdf@1', 'make_plan@1'],
  limits: RUN_LIMITS,
  expires_at: '2026-11-30T13:00:00.000Z',
};

export const ANSWER_EXAMPLES = {
  ToolList: {
    tools: [{ ...IDENTITY, summary: 'Makes a PDF from plain text.' }],
    policy_revision: '0123456789abcdef',
  },
  ToolDescription: {
    ...IDENTITY,
    description: 'Makes a PDF from plain text. Call it once, when a document is asked for.',
    input_schema: {
      type: 'object',
      properties: { body: { type: 'string' } },
      required: ['body'],
      additionalProperties: false,
    },
    produces: ['application/pdf'],
    takes_files: false,
    examples: [{ input: 'Put this into a PDF.', arguments: { body: 'Hello.' } }],
    limits: { timeout_ms: 10_000, max_argument_bytes: 1_048_576, max_artifact_bytes: 16_777_216 },
    digest: 'sha256:65f98a1446fa5ad414eabd171ee6cc758ad4fbcc063f1bf068856fa2ae5db2e6',
  },
  InvokeSuccess: {
    ok: true,
    invocation_id: '9a3a2c0e-8a55-4f0c-8b71-5f2f4f9f3c11',
    ref: 'create_pdf@1',
    output: { created: true, pages: 1 },
    artifact: { name: 'document.pdf', media_type: 'application/pdf', base64: 'JVBERi0xLjQK', size_bytes: 9 },
    download: { ...DOWNLOAD, url: `/v1/artifacts/${DOWNLOAD.artifact_id}` },
    duration_ms: 3,
  },
  Error: {
    ok: false,
    error: 'TIMEOUT',
    message: 'The tool did not finish before its deadline and was stopped.',
    resolution: 'Ask for less work in one call, then call again.',
    retryable: true,
    request_id: '2f1c1c1e-5d0e-4c55-9d1b-0f6f3a3d9e55',
    invocation_id: '9a3a2c0e-8a55-4f0c-8b71-5f2f4f9f3c11',
    ref: 'create_pdf@1',
  },
  StartedRun: {
    ...RUN,
    token: 'tbr_q1Xo5i0zqkE0v7l2B8m3Ag…',
    ignored: ['create_pfd'],
  },
  Run: {
    ...RUN,
    labels: { job: 'weekly-report' },
    used: {
      calls: 3,
      calls_per_tool: { create_pdf: 1, make_plan: 2 },
      result_bytes: 412,
      artifact_bytes: 9_817,
      run_time_ms: 31,
      concurrent_calls: 0,
    },
    left: {
      calls: 17,
      calls_per_tool: { create_pdf: 1 },
      result_bytes: 268_435_044,
      artifact_bytes: 1_073_732_007,
      run_time_ms: 3_599_969,
      concurrent_calls: 16,
    },
    started_at: '2026-11-30T12:00:00.000Z',
  },
  UploadedArtifact: { ...DOWNLOAD, size_bytes: 5 },
  Catalog: {
    policy_revision: '0123456789abcdef',
    origins: [
      {
        origin: 'builtin',
        third_party: false,
        tools: [
          {
            ref: 'create_pdf@1',
            name: 'create_pdf',
            version: '1',
            kind: 'skill',
            approved: true,
            reason: 'approved',
            digest: 'sha256:65f98a1446fa5ad414eabd171ee6cc758ad4fbcc063f1bf068856fa2ae5db2e6',
            findings: [],
          },
        ],
      },
    ],
    repositories: [{ origin: 'repository', status: '3 skills loaded and digest-checked' }],
    refusals: [REFUSAL],
    findings: [],
    dead_policy_entries: [DEAD_ENTRY],
  },
  SkillList: {
    skills: [{ name: 'fishbone-6m', description: 'Sort possible causes of a problem.', third_party: false }],
  },
  Skill: {
    name: 'fishbone-6m',
    description: 'Sort possible causes of a problem.',
    third_party: false,
    body: '# Fishbone\n',
    files: [{ path: 'references/prompts.md', size_bytes: 812, media_type: 'text/markdown' }],
  },
  Evaluation: {
    scores: { clarity: 1, completeness: 1, accuracy: 1, actionability: 0.6, consistency: 1 },
    findings: [{ set: 'score', rule: 'missing_signal', message: 'actionability -0.2: "Args" is missing.' }],
  },
  ToolExport: {
    tools: [{ name: 'create_pdf', description: 'Makes a PDF.', input_schema: { type: 'object' } }],
    report: [],
  },
  Explanation: {
    ref: 'create_pdf',
    tool: 'create_pdf@1',
    origin: 'builtin',
    caller: 'writing-agent',
    allowed: false,
    reason: 'not_in_profile',
    detail: 'create_pdf@1 is approved, and the profile planner does not name it.',
    policy_place: 'policy.yaml:14:5',
    policy_revision: '0123456789abcdef',
  },
  Health: { status: 'ok' },
  Readiness: { status: 'degraded', tools: 4, refused: 1, dead_policy_entries: 1 },
} as const;

/** The `content` of an answer: the component and an example of it. */
export function jsonAnswer(component: keyof typeof ANSWER_EXAMPLES): object {
  return {
    'application/json': { schema: { $ref: `${component}#` }, example: ANSWER_EXAMPLES[component] },
  };
}
