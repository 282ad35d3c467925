import type { CatalogEntry } from '../catalog/entry.ts';
import type { ToolDescription, ToolSummary } from './wire/tool.ts';

/** A tool as a list shows it. */
export function toToolSummary(entry: CatalogEntry): ToolSummary {
  return { ...toIdentity(entry), summary: entry.spec.summary };
}

/** A tool as `GET /v1/tools/{ref}` shows it. Texts of third parties stand as they are, and are flagged. */
export function toToolDescription(entry: CatalogEntry): ToolDescription {
  const { spec, limits } = entry;
  return {
    ...toIdentity(entry),
    description: spec.description,
    input_schema: spec.inputSchema,
    produces: [...(spec.produces ?? [])],
    takes_files: spec.takesFiles === true,
    examples: (spec.examples ?? []).map((example) => ({
      input: example.input,
      arguments: example.arguments,
    })),
    limits: {
      timeout_ms: limits.timeoutMs,
      max_argument_bytes: limits.maxArgumentBytes,
      max_artifact_bytes: limits.maxArtifactBytes,
    },
    digest: entry.digest,
  };
}

function toIdentity({ ref, spec, thirdParty }: CatalogEntry): Omit<ToolSummary, 'summary'> {
  return {
    ref,
    name: spec.name,
    version: spec.version,
    kind: spec.kind,
    origin: spec.origin,
    third_party: thirdParty,
  };
}
