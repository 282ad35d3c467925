import type { HttpDeps } from '../deps.ts';
import type { HttpServer } from '../http-server.ts';
import { hasRole } from '../../core/caller.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const config = { access: 'public', probe: true } as const;
const PARTS = { tags: ['Health'], security: [], querystring: NoQuerySchema };

const healthSchema = {
  ...PARTS,
  operationId: 'health.live',
  summary: 'Is the process alive?',
  response: {
    200: { description: 'It is.', content: jsonAnswer('Health') },
    ...errorResponses(),
  },
};

const readySchema = {
  ...PARTS,
  operationId: 'health.ready',
  summary: 'Are calls taken?',
  description:
    '503 while starting, stopping, or without its store. What was refused at boot shows as `degraded`.',
  response: {
    200: { description: 'They are.', content: jsonAnswer('Readiness') },
    ...errorResponses('OVERLOADED'),
  },
};

const NOT_READY = {
  starting: 'The service is starting.',
  draining: 'The service is stopping.',
  store_lost: 'The store cannot be reached.',
} as const;

export function addShowHealth(app: HttpServer, { catalog, readiness }: HttpDeps): void {
  app.get('/healthz', { schema: healthSchema, config }, async () => ({ status: 'ok' }));

  app.get('/readyz', { schema: readySchema, config }, async ({ identity }) => {
    const state = await readiness();
    if (state !== 'ready') throw new BrokerError('OVERLOADED', NOT_READY[state], { retryAfter: 2 });
    const { refusals, deadEntries, known } = catalog;
    const isOperator = identity !== undefined && hasRole(identity.caller, 'operator');
    return {
      status: refusals.length + deadEntries.length === 0 ? 'ready' : 'degraded',
      tools: known.filter(({ approved }) => approved).length,
      refused: refusals.length,
      dead_policy_entries: deadEntries.length,
      ...(isOperator ? { reasons: { refusals, dead_policy_entries: deadEntries } } : {}),
    };
  });
}
