import type { Catalog, KnownTool } from '../catalog/catalog.ts';

export interface ToolsOptions {
  /** One JSON document instead of lines. */
  readonly json: boolean;
  readonly print: (line: string) => void;
}

/** `tool-broker tools`: every tool that is known, in groups by origin, approved or not, and all that was refused. Exit code 0. */
export function listTools(catalog: Catalog, { json, print }: ToolsOptions): number {
  if (json) print(JSON.stringify(toDocument(catalog), undefined, 2));
  else for (const line of toLines(catalog)) print(line);
  return 0;
}

function groupByOrigin({ known }: Catalog): ReadonlyMap<string, readonly KnownTool[]> {
  const groups = new Map<string, KnownTool[]>();
  for (const tool of known) {
    const { origin } = tool.entry.spec;
    groups.set(origin, [...(groups.get(origin) ?? []), tool]);
  }
  return groups;
}

function toLines(catalog: Catalog): string[] {
  const groups = [...groupByOrigin(catalog)].flatMap(([origin, tools]) => {
    const isThirdParty = tools.some(({ entry }) => entry.thirdParty);
    return section(`${origin}${isThirdParty ? ' (third party)' : ''}`, tools.flatMap(toToolLines));
  });
  return [
    ...groups,
    ...section(
      'status',
      catalog.statuses.map(({ origin, status }) => `${origin}: ${status}`),
    ),
    ...section(
      'refused at boot',
      catalog.refusals.map(({ source, reason }) => `${source}: ${reason}`),
    ),
    ...section(
      'policy entries without a tool',
      catalog.deadEntries.map(({ entry, reason }) => `${entry}: ${reason}`),
    ),
    `policy revision ${catalog.policyRevision}`,
  ];
}

function toToolLines({ entry, approved, findings }: KnownTool): string[] {
  const { ref, spec, digest } = entry;
  const mark = approved ? 'approved    ' : 'not approved';
  return [`${mark}  ${ref}  ${spec.kind}  ${digest}`, ...findings.map((finding) => `  note: ${finding}`)];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
}

function toDocument(catalog: Catalog): object {
  return {
    policy_revision: catalog.policyRevision,
    origins: [...groupByOrigin(catalog)].map(([origin, tools]) => ({
      origin,
      third_party: tools.some(({ entry }) => entry.thirdParty),
      tools: tools.map(({ entry, approved, findings }) => ({
        ref: entry.ref,
        kind: entry.spec.kind,
        approved,
        digest: entry.digest,
        findings,
      })),
    })),
    statuses: catalog.statuses,
    refusals: catalog.refusals,
    dead_policy_entries: catalog.deadEntries,
  };
}
