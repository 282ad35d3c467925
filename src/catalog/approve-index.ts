import { parseRef } from '../core/ref.ts';
import type { Origin } from '../core/tool.ts';
import type { ApprovableTool, KnownTools } from './approve.ts';

/** The tools found at boot, by every way to write them. */
export interface ApproveIndex {
  readonly tools: readonly ApprovableTool[];
  /** Several tools under one ref come from different origins. */
  readonly byRef: ReadonlyMap<string, readonly ApprovableTool[]>;
  readonly byName: ReadonlyMap<string, readonly ApprovableTool[]>;
  /** By each text that approves it: a ref, or for a package `package@version` and `package:command@version`. */
  readonly byEntry: ReadonlyMap<string, readonly ApprovableTool[]>;
  /** Packages by `package` and `package:command`, as profiles may write them. */
  readonly byPackage: ReadonlyMap<string, readonly ApprovableTool[]>;
  /** Ref or name of what was refused, and why. */
  readonly refused: ReadonlyMap<string, string>;
}

export function indexKnownTools({ tools, refused }: KnownTools): ApproveIndex {
  return {
    tools,
    byRef: groupBy(tools, ({ ref }) => [ref]),
    byName: groupBy(tools, ({ name }) => [name]),
    byEntry: groupBy(tools, entriesOf),
    byPackage: groupBy(tools, packageTextsOf),
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
  keysOf: (tool: ApprovableTool) => readonly string[],
): Map<string, ApprovableTool[]> {
  const groups = new Map<string, ApprovableTool[]>();
  for (const tool of tools) {
    for (const key of keysOf(tool)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [tool]);
      else group.push(tool);
    }
  }
  return groups;
}

/** The texts that approve a tool; the narrowest comes last. */
export function entriesOf({ ref, name, origin }: ApprovableTool): readonly string[] {
  const source = packageOf(origin);
  if (source === undefined) return [ref];
  const version = ref.slice(name.length + 1);
  return [`${source}@${version}`, `${source}:${ref}`];
}

function packageTextsOf({ name, origin }: ApprovableTool): readonly string[] {
  const source = packageOf(origin);
  return source === undefined ? [] : [source, `${source}:${name}`];
}

function packageOf(origin: Origin): string | undefined {
  return origin.startsWith('package:') ? origin.slice('package:'.length) : undefined;
}
