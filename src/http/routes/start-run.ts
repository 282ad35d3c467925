import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

import type { JsonObject } from '../../core/json.ts';
import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { toStartedRun } from '../run-answer.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { startRunBodySchema } from '../wire/run.ts';
import { NoQuerySchema } from '../wire/tool.ts';
import { wireValidator } from '../wire-validator.ts';

const schema = {
  operationId: 'runs.start',
  tags: ['Runs'],
  summary: 'Start a run',
  description:
    'One job of an agent: a part of what you may call, with budgets and an end. Its token does all that a runner may do ' +
    'within the run, except starting runs, so it can be handed to a process that is not trusted.',
  querystring: NoQuerySchema,
  response: {
    201: {
      description: 'The run has started.',
      headers: { Location: { type: 'string', description: 'Where the run can be looked at.' } },
      content: jsonAnswer('StartedRun'),
    },
    ...errorResponses('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'OVERLOADED'),
  },
};

interface Route {
  Body: JsonObject | undefined;
}

export function addStartRun(app: HttpServer, { runs }: HttpDeps): void {
  const body = startRunBodySchema(runs.ceilings);
  const options = {
    schema: { ...schema, body },
    validatorCompiler: checkAllButBody,
    config: { access: 'runner' },
  } as const;
  app.post<Route>('/v1/runs', options, async (request, reply) => {
    const started = await runs.start(identityOf(request), request.body ?? {});
    return reply
      .code(201)
      .header('location', `/v1/runs/${started.run.id}`)
      .header('cache-control', 'no-store')
      .send(toStartedRun(started));
  });
}

/** The broker reads the body: it knows the ceilings. */
const checkAllButBody: FastifySchemaCompiler<TSchema> = (route) =>
  route.httpPart === 'body' ? () => true : wireValidator(route);
