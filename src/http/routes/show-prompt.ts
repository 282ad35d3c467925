import { isThirdParty } from '../../core/tool.ts';
import { renderPrompt } from '../../describe/render-prompt.ts';
import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { visibleShelf } from '../visible-shelf.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const schema = {
  operationId: 'prompt.show',
  tags: ['Tools'],
  summary: 'The tools and skills as a section of a system prompt',
  description:
    'Your tools with their schemas, those that are approved and could not be loaded, and the index of skills. ' +
    'Empty when there is nothing. The words of third parties are fenced.',
  querystring: NoQuerySchema,
  response: {
    200: { description: 'The text.', content: { 'text/markdown': { schema: { type: 'string' } } } },
    ...errorResponses('OVERLOADED'),
  },
};

export function addShowPrompt(app: HttpServer, { catalog }: HttpDeps): void {
  app.get('/v1/prompt', { schema }, async (request, reply) => {
    const { grant } = identityOf(request);
    // Whether a refused tool would be in a narrower grant cannot be told: it is not there to ask about.
    const isWhole = grant.caller === undefined && grant.profile === undefined && grant.run === undefined;
    const skills = visibleShelf(catalog, grant)
      .list()
      .map(({ name, description, origin }) => ({ name, description, thirdParty: isThirdParty(origin) }));
    const text = renderPrompt({
      tools: catalog.list(grant).map((entry) => entry.spec),
      skills,
      unavailable: isWhole ? catalog.unavailable : [],
    });
    return reply.type('text/markdown; charset=utf-8').send(text);
  });
}
