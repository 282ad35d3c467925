import type { Catalog } from '../../catalog/catalog.ts';
import type { Grant } from '../../core/grant.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { toToolOperation } from './tool-operation.ts';

const INVOKE_PATH = '/v1/tools/{ref}/invoke';

/**
 * The document for one credential: the general routes, and one operation for each tool that the grant may call.
 * Without a grant, the general routes only.
 */
export function buildDocument(general: JsonObject, catalog: Catalog, grant: Grant | undefined): JsonObject {
  const paths = general['paths'] as Readonly<Record<string, JsonObject>>;
  const invoke = paths[INVOKE_PATH]?.['post'] as JsonObject | undefined;
  if (grant === undefined || invoke === undefined) return general;
  const tools = catalog.list(grant).map((entry) => toToolOperation(entry, invoke));
  const toolPaths: Record<string, JsonValue> = {};
  const schemas: Record<string, JsonValue> = {};
  for (const { path, operation, components } of tools) {
    toolPaths[path] = { post: operation };
    Object.assign(schemas, components);
  }
  const components = general['components'] as JsonObject;
  return {
    ...general,
    paths: { ...toolPaths, ...paths },
    components: { ...components, schemas: { ...(components['schemas'] as JsonObject), ...schemas } },
  };
}
