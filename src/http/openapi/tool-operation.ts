import type { CatalogEntry } from '../../catalog/entry.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { embedSchema } from './embed-schema.ts';

/** One tool as an operation of its own, and the components that it needs. */
export interface ToolOperation {
  readonly path: string;
  readonly operation: JsonObject;
  readonly components: Readonly<Record<string, JsonValue>>;
}

/** The tag under which the operations of tools stand. */
export const TOOL_TAG = 'Your tools';

/**
 * The call of one tool, made from the general one: its own arguments, example and media types in place of the general ones. The
 * description is the tool's own, whoever wrote it; `x-third-party` tells.
 */
export function toToolOperation(entry: CatalogEntry, general: JsonObject): ToolOperation {
  const { spec } = entry;
  // Names hold no dot and the components of the API neither, so nothing can collide.
  const { rootKey, components } = embedSchema(spec.inputSchema, `${spec.name}.arguments`);
  const parameters = (general['parameters'] as readonly JsonObject[]).filter(
    (parameter) => parameter['in'] !== 'path',
  );
  return {
    path: `/v1/tools/${entry.ref}/invoke`,
    components,
    operation: {
      operationId: spec.name,
      tags: [TOOL_TAG],
      summary: spec.summary,
      description: spec.description,
      ...(entry.thirdParty ? { 'x-third-party': true } : {}),
      parameters,
      requestBody: toRequestBody(entry, rootKey),
      responses: toResponses(entry, general['responses'] as JsonObject),
    },
  };
}

function toRequestBody({ spec }: CatalogEntry, rootKey: string): JsonObject {
  const { required } = spec.inputSchema;
  const examples = (spec.examples ?? []).map((example, index) => [
    `example${index + 1}`,
    { summary: example.input, value: { arguments: example.arguments } },
  ]);
  return {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { arguments: { $ref: `#/components/schemas/${rootKey}` } },
          ...(Array.isArray(required) && required.length > 0 ? { required: ['arguments'] } : {}),
          additionalProperties: false,
        },
        ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) as JsonObject }),
      },
    },
  };
}

function toResponses({ spec }: CatalogEntry, general: JsonObject): JsonObject {
  const ran = general['200'] as JsonObject;
  const json = (ran['content'] as JsonObject)['application/json'] ?? {};
  const bytes = { schema: { type: 'string', format: 'binary' } };
  const files = (spec.produces ?? []).map((mediaType) => [mediaType, bytes]);
  return {
    ...general,
    '200': { ...ran, content: { 'application/json': json, ...(Object.fromEntries(files) as JsonObject) } },
  };
}
