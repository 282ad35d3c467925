import type { Static } from 'typebox';

import { toolNotFound } from '../../catalog/not-found.ts';
import { renderDescription } from '../../describe/render-description.ts';
import { chooseRepresentation } from '../choose-representation.ts';
import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { toToolDescription } from '../tool-answer.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { DescribeToolQuerySchema, ToolRefParamsSchema } from '../wire/tool.ts';

const MARKDOWN = 'text/markdown';

const schema = {
  operationId: 'tools.describe',
  tags: ['Tools'],
  summary: 'Describe one tool',
  description:
    'All that is needed to call it. `Accept: text/markdown` or `format=markdown` gives the description as text for a model, ' +
    'in which the words of third parties are fenced.',
  params: ToolRefParamsSchema,
  querystring: DescribeToolQuerySchema,
  response: {
    200: {
      description: 'The tool.',
      content: {
        ...jsonAnswer('ToolDescription'),
        [MARKDOWN]: { schema: { type: 'string' } },
      },
    },
    ...errorResponses('NOT_FOUND', 'NOT_ACCEPTABLE', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

interface Route {
  Params: Static<typeof ToolRefParamsSchema>;
  Querystring: Static<typeof DescribeToolQuerySchema>;
}

export function addDescribeTool(app: HttpServer, { catalog }: HttpDeps): void {
  app.get<Route>('/v1/tools/:ref', { schema }, async (request, reply) => {
    const { grant } = identityOf(request);
    const entry = catalog.find(request.params.ref, grant);
    if (entry === undefined) throw toolNotFound(catalog, request.params.ref, grant);
    if (wantsMarkdown(request.query.format, request.headers.accept)) {
      return reply.type(`${MARKDOWN}; charset=utf-8`).send(renderDescription(entry.spec));
    }
    return reply.send(toToolDescription(entry));
  });
}

function wantsMarkdown(format: string | undefined, accept: string | undefined): boolean {
  if (format !== undefined) return format === 'markdown';
  return chooseRepresentation(accept, [MARKDOWN]) === MARKDOWN;
}
