import type { Static } from 'typebox';

import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { toRunAnswer } from '../run-answer.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { RunIdParamsSchema } from '../wire/run.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const schema = {
  operationId: 'runs.show',
  tags: ['Runs'],
  summary: 'Look at a run',
  description: 'For its own token and the key that started it. A run that has ended or expired is gone.',
  params: RunIdParamsSchema,
  querystring: NoQuerySchema,
  response: {
    200: { description: 'The run.', content: jsonAnswer('Run') },
    ...errorResponses('NOT_FOUND', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

interface Route {
  Params: Static<typeof RunIdParamsSchema>;
}

export function addShowRun(app: HttpServer, { runs }: HttpDeps): void {
  app.get<Route>('/v1/runs/:id', { schema }, async (request) =>
    toRunAnswer(await runs.find(identityOf(request).caller, request.params.id)),
  );
}
