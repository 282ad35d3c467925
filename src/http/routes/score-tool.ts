import type { Static } from 'typebox';

import { toolNotFound } from '../../catalog/not-found.ts';
import { evaluateDescription, evaluateTool } from '../../describe/evaluate-description.ts';
import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { requireBody } from '../require-body.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { EvaluateBodySchema, type EvaluateBody } from '../wire/score.ts';
import { NoQuerySchema, ToolRefParamsSchema } from '../wire/tool.ts';

const scoreSchema = {
  operationId: 'tools.score',
  tags: ['Descriptions'],
  summary: 'Score the description of a tool',
  description:
    'Five scores from 0 to 1 of its rendered description, the terms behind them, and findings that they miss.',
  params: ToolRefParamsSchema,
  querystring: NoQuerySchema,
  response: {
    200: { description: 'The evaluation.', content: jsonAnswer('Evaluation') },
    ...errorResponses('NOT_FOUND', 'URI_TOO_LONG', 'OVERLOADED'),
  },
};

const evaluateSchema = {
  operationId: 'descriptions.evaluate',
  tags: ['Descriptions'],
  summary: 'Score any description',
  description: 'The same scores for a text of your own, before it becomes a tool.',
  querystring: NoQuerySchema,
  body: EvaluateBodySchema,
  response: {
    200: { description: 'The evaluation.', content: jsonAnswer('Evaluation') },
    ...errorResponses('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'OVERLOADED'),
  },
};

export function addScoreTool(app: HttpServer, { catalog }: HttpDeps): void {
  app.get<{ Params: Static<typeof ToolRefParamsSchema> }>(
    '/v1/tools/:ref/score',
    { schema: scoreSchema },
    async (request) => {
      const { grant } = identityOf(request);
      const entry = catalog.find(request.params.ref, grant);
      if (entry === undefined) throw toolNotFound(catalog, request.params.ref, grant);
      return evaluateTool(
        entry.spec,
        catalog.list(grant).map(({ spec }) => spec),
      );
    },
  );
  app.post<{ Body: EvaluateBody | undefined }>(
    '/v1/descriptions/evaluate',
    { schema: evaluateSchema },
    async (request) => {
      const { description, tool } = requireBody(request.body);
      const { name, parameters, input_schema: inputSchema } = tool;
      return evaluateDescription(description, {
        name,
        ...(parameters && { parameters }),
        ...(inputSchema && { inputSchema }),
      });
    },
  );
}
