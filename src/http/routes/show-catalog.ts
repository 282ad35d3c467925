import type { Catalog, KnownTool } from '../../catalog/catalog.ts';
import type { HttpDeps } from '../deps.ts';
import type { HttpServer } from '../http-server.ts';
import { jsonAnswer } from '../wire/answer-examples.ts';
import { errorResponses } from '../wire/error-responses.ts';
import { NoQuerySchema } from '../wire/tool.ts';

const schema = {
  operationId: 'admin.catalog',
  tags: ['Operators'],
  summary: 'Show every tool that is known',
  description:
    'For operators: all tools by origin, approved or not and why; everything refused at boot, with file and reason; ' +
    'policy entries that lead to no tool.',
  querystring: NoQuerySchema,
  response: {
    200: { description: 'The catalog.', content: jsonAnswer('Catalog') },
    ...errorResponses('OVERLOADED'),
  },
};

export function addShowCatalog(app: HttpServer, { catalog }: HttpDeps): void {
  app.get('/v1/admin/catalog', { schema, config: { access: 'operator' } }, async () => ({
    policy_revision: catalog.policyRevision,
    origins: groupByOrigin(catalog),
    repositories: catalog.statuses,
    refusals: catalog.refusals,
    findings: catalog.findings,
    dead_policy_entries: catalog.deadEntries,
  }));
}

function groupByOrigin({ known }: Catalog): object[] {
  const groups = new Map<string, KnownTool[]>();
  for (const tool of known) {
    const { origin } = tool.entry.spec;
    groups.set(origin, [...(groups.get(origin) ?? []), tool]);
  }
  return [...groups].map(([origin, tools]) => ({
    origin,
    third_party: tools.some(({ entry }) => entry.thirdParty),
    tools: tools.map(toKnownTool),
  }));
}

function toKnownTool({ entry, approved, findings }: KnownTool): object {
  const { ref, spec, digest } = entry;
  return {
    ref,
    name: spec.name,
    version: spec.version,
    kind: spec.kind,
    approved,
    reason: approved ? 'approved' : 'not_approved',
    digest,
    findings,
  };
}
