import type { Grant } from '../../core/grant.ts';
import type { JsonObject } from '../../core/json.ts';
import type { HttpDeps } from '../deps.ts';
import { etagOf, isFresh } from '../etag.ts';
import type { HttpServer } from '../http-server.ts';
import { buildDocument } from '../openapi/build-document.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const schema = {
  operationId: 'api.openapi',
  tags: ['API'],
  security: [],
  summary: 'Show this document',
  description: 'OpenAPI 3.1. With a credential: the tools that it may call besides, one operation each.',
  querystring: NoQuerySchema,
  response: {
    200: {
      description: 'The document.',
      headers: { ETag: { type: 'string', description: 'Strong; send it back as `If-None-Match`.' } },
      content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
    },
    304: { description: 'Nothing has changed since `If-None-Match`.', type: 'null' },
    ...errorResponses(),
  },
};

interface Ready {
  readonly body: string;
  readonly etag: string;
}

export function addShowOpenapi(app: HttpServer, { catalog }: HttpDeps): void {
  const build = (grant: Grant | undefined): Ready => {
    const body = JSON.stringify(buildDocument(app.swagger() as unknown as JsonObject, catalog, grant));
    return { body, etag: etagOf(body) };
  };
  // A grant is made once per credential, and nothing that the document shows changes after boot.
  const ready = new WeakMap<object, Ready>();
  const nobody = {};
  app.get('/openapi.json', { schema, config: { access: 'public' } }, async (request, reply) => {
    const grant = request.identity?.grant;
    const document = ready.get(grant ?? nobody) ?? build(grant);
    ready.set(grant ?? nobody, document);
    reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization', etag: document.etag });
    if (isFresh(request.headers['if-none-match'], document.etag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(document.body);
  });
}
