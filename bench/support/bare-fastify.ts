/**
 * What a call costs without a broker: a Fastify route with the same body, its schema checked by Fastify, the same
 * answer, and the same log line. Started by bench/invoke.ts.
 */
import { createHash, randomUUID } from 'node:crypto';

import Fastify from 'fastify';
import { pino } from 'pino';

const stream = pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 1_000 });
const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
const app = Fastify({ logger: false });

const strings = {
  type: 'array',
  minItems: 1,
  maxItems: 20,
  items: { type: 'string', minLength: 1, maxLength: 400 },
};
const body = {
  type: 'object',
  required: ['arguments'],
  additionalProperties: false,
  properties: {
    arguments: {
      type: 'object',
      required: ['goal', 'steps'],
      additionalProperties: false,
      properties: { goal: { type: 'string', minLength: 1, maxLength: 400 }, steps: strings },
    },
  },
};

app.post<{ Body: { arguments: { goal: string; steps: string[] } } }>(
  '/invoke',
  { schema: { body } },
  async (request) => {
    const { goal, steps } = request.body.arguments;
    const plan = [`Plan: ${goal}`, '', ...steps.map((step, index) => `${index + 1}. ${step}`)].join('\n');
    const bytes = Buffer.from(plan);
    const invocationId = randomUUID();
    const line = {
      invocation_id: invocationId,
      request_id: randomUUID(),
      caller: 'anonymous',
      ref: 'make_plan@1',
      origin: 'builtin',
      policy_revision: '0123456789abcdef',
      argument_bytes: Buffer.byteLength(JSON.stringify(request.body.arguments)),
      result_bytes: plan.length,
      artifact_bytes: bytes.byteLength,
      outcome: 'OK',
      queue_ms: 0,
      run_ms: 0.1,
    };
    log.info(line, 'call');
    return {
      ok: true,
      invocation_id: invocationId,
      ref: 'make_plan@1',
      output: { plan, step_count: steps.length },
      artifact: {
        name: 'plan.txt',
        media_type: 'text/plain',
        base64: bytes.toString('base64'),
        size_bytes: bytes.byteLength,
      },
      download: {
        artifact_id: invocationId,
        url: `/v1/artifacts/${invocationId}`,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      },
      duration_ms: 0,
    };
  },
);

process.stderr.write(`bare route on ${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
