import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { buildRegistry } from '../../src/catalog/registry.ts';
import type { Tool, ToolLimits, ToolSpec } from '../../src/core/tool.ts';

export const testLimits: ToolLimits = { timeoutMs: 2_000, maxArgumentBytes: 1_000, maxArtifactBytes: 1_000 };

/** A small real tool; every part of it can be replaced. */
export function makeTool(spec: Partial<ToolSpec> = {}, parts: Partial<Omit<Tool, 'spec'>> = {}): Tool {
  return {
    spec: {
      name: 'echo',
      version: '1',
      kind: 'tool',
      origin: 'builtin',
      summary: 'Gives its text back.',
      description: 'Gives its text back.',
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', maxLength: 5 } },
        required: ['text'],
        additionalProperties: false,
      },
      lane: 'inline',
      ...spec,
    },
    execute: async (args) => ({ status: 'ok', output: { text: args['text'] ?? null } }),
    ...parts,
  };
}

/** A catalog of these tools, all approved unless `approved` says which. */
export function makeCatalog(tools: readonly Tool[], approved?: readonly string[]): Catalog {
  const registry = buildRegistry(tools, testLimits);
  return buildCatalog({
    registry,
    approved: new Set(approved ?? registry.tools.map(({ entry }) => entry.ref)),
    refusals: [],
    findings: [],
    statuses: [],
    approveEntries: [],
    deadEntries: [],
    policyRevision: '0123456789abcdef',
  });
}
