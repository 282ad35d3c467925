import type { FastifyReply, FastifyRequest } from 'fastify';

import type { CatalogEntry } from '../../catalog/entry.ts';
import { exportTools } from '../../describe/export-tools.ts';
import type { HttpDeps } from '../deps.ts';
import { etagOf, isFresh } from '../etag.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { toToolDescription, toToolSummary } from '../tool-answer.ts';
import { ANSWER_EXAMPLES } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { ListToolsQuerySchema, type ListToolsQuery } from '../wire/tool.ts';

const schema = {
  operationId: 'tools.list',
  tags: ['Tools'],
  summary: 'List the tools that you may call',
  description: 'Sorted by name. A tool that is not in the list does not exist for you.',
  querystring: ListToolsQuerySchema,
  response: {
    200: {
      description: 'The tools.',
      headers: { ETag: { type: 'string', description: 'Strong; send it back as `If-None-Match`.' } },
      content: {
        'application/json': {
          schema: { anyOf: [{ $ref: 'ToolList#' }, { $ref: 'ToolExport#' }] },
          examples: {
            list: { summary: 'The list', value: ANSWER_EXAMPLES.ToolList },
            export: { summary: 'With format=anthropic', value: ANSWER_EXAMPLES.ToolExport },
          },
        },
      },
    },
    304: { description: 'Nothing has changed since `If-None-Match`.', type: 'null' },
    ...errorResponses('OVERLOADED'),
  },
};

export function addListTools(app: HttpServer, { catalog }: HttpDeps): void {
  app.get<{ Querystring: ListToolsQuery }>('/v1/tools', { schema }, async (request, reply) => {
    const { query } = request;
    const entries = catalog.list(identityOf(request).grant).filter((entry) => isWanted(entry, query));
    if (query.format !== undefined) {
      const exported = exportTools(
        entries.map((entry) => entry.spec),
        query.format,
      );
      return sendTagged(JSON.stringify(exported), request, reply);
    }
    const show = query.detail === 'detailed' ? toToolDescription : toToolSummary;
    const tools = entries.map((entry) => show(entry));
    const body = JSON.stringify({ tools, policy_revision: catalog.policyRevision });
    return sendTagged(body, request, reply);
  });
}

function sendTagged(body: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = etagOf(body);
  reply.header('etag', etag);
  if (isFresh(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

function isWanted({ spec }: CatalogEntry, { kind, origin }: ListToolsQuery): boolean {
  return (kind === undefined || spec.kind === kind) && (origin === undefined || spec.origin === origin);
}
