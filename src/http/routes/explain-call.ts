import type { CallExplanation } from '../../broker/explain-call.ts';
import type { PolicyPlace } from '../../catalog/policy.ts';
import type { HttpDeps } from '../deps.ts';
import { identityOf, type HttpServer } from '../http-server.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { ExplainQuerySchema, type ExplainQuery } from '../wire/explain.ts';

const schema = {
  operationId: 'admin.explain',
  tags: ['Operators'],
  summary: 'Say why a tool can or cannot be called',
  description:
    'For operators: what `decide` says of this tool for this caller and run, and the line of the policy that decided it. ' +
    'Callers themselves never learn which refusal it was.',
  querystring: ExplainQuerySchema,
  response: {
    200: { description: 'Why.', content: jsonAnswer('Explanation') },
    ...errorResponses('NOT_FOUND', 'OVERLOADED'),
  },
};

export function addExplainCall(app: HttpServer, { catalog, explain }: HttpDeps): void {
  app.get<{ Querystring: ExplainQuery }>(
    '/v1/admin/explain',
    { schema, config: { access: 'operator' } },
    async ({ query, identity }) => {
      const explanation = await explain(query, identityOf({ identity }));
      return toAnswer(explanation, { ...query, policyRevision: catalog.policyRevision });
    },
  );
}

function toAnswer(
  { reason, entry, detail, place, caller }: CallExplanation,
  { ref, run, policyRevision }: ExplainQuery & { policyRevision: string },
): object {
  return {
    ref,
    ...(entry && { tool: entry.ref, origin: entry.spec.origin }),
    caller,
    ...(run !== undefined && { run }),
    allowed: reason === 'allowed',
    reason,
    detail,
    ...(place && { policy_place: formatPlace(place) }),
    policy_revision: policyRevision,
  };
}

function formatPlace({ source, line, column }: PolicyPlace): string {
  return [source, line, column].filter((part) => part !== undefined).join(':');
}
