import { parseRef } from '../core/ref.ts';
import type { ApprovableTool, KnownTools } from './approve.ts';

/** The tools found at boot, by every way to write them. */
export interface ApproveIndex {
  readonly tools: readonly ApprovableTool[];
  /** Several tools under one ref come from different origins. */
  readonly byRef: ReadonlyMap<string, readonly ApprovableTool[]>;
  readonly byName: ReadonlyMap<string, readonly ApprovableTool[]>;
  /** Ref or name of what was refused, and why. */
  readonly refused: ReadonlyMap<string, string>;
}

export function indexKnownTools({ tools, refused }: KnownTools): ApproveIndex {
  return {
    tools,
    byRef: groupBy(tools, ({ ref }) => ref),
    byName: groupBy(tools, ({ name }) => name),
    refused: new Map(
      refused.flatMap(({ ref, reason }) => {
        const name = parseRef(ref)?.name;
        return name === undefined
          ? [[ref, reason] as const]
          : [[ref, reason] as const, [name, reason] as const];
      }),
    ),
  };
}

function groupBy(
  tools: readonly ApprovableTool[],
  keyOf: (tool: ApprovableTool) => string,
): Map<string, ApprovableTool[]> {
  const groups = new Map<string, ApprovableTool[]>();
  for (const tool of tools) {
    const group = groups.get(keyOf(tool));
    if (group === undefined) groups.set(keyOf(tool), [tool]);
    else group.push(tool);
  }
  return groups;
}
