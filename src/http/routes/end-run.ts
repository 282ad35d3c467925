import type { Static } from 'typebox';

import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { RunIdParamsSchema } from '../wire/run.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const schema = {
  operationId: 'runs.end',
  tags: ['Runs'],
  summary: 'End a run',
  description:
    'For its own token and the key that started it. Its token is no longer known, its running calls are stopped ' +
    'within 2 s, its files are let go.',
  params: RunIdParamsSchema,
  querystring: NoQuerySchema,
  response: {
    204: { description: 'It has ended.', type: 'null' },
    ...errorResponses('NOT_FOUND', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

interface Route {
  Params: Static<typeof RunIdParamsSchema>;
}

export function addEndRun(app: HttpServer, { runs }: HttpDeps): void {
  app.delete<Route>('/v1/runs/:id', { schema }, async (request, reply) => {
    await runs.end(identityOf(request).caller, request.params.id);
    return reply.code(204).send();
  });
}
