import type { Fault } from '../../src/core/broker-error.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { EMPTY_SHELF } from '../../src/core/shelf.ts';
import type { Tool, ToolResult } from '../../src/core/tool.ts';

type Succeeded = Extract<ToolResult, { status: 'ok' }>;

export function checkWith(tool: Tool, args: JsonObject): readonly Fault[] {
  return tool.check?.(args) ?? [];
}

/** Runs a tool as the broker would, without its limits; fails the test when the tool does. */
export async function runWith(tool: Tool, args: JsonObject): Promise<Succeeded> {
  const result = await tool.execute(args, {
    signal: new AbortController().signal,
    files: [],
    deadline: performance.now() + 10_000,
    shelf: EMPTY_SHELF,
    log: () => undefined,
  });
  if (result.status !== 'ok') throw new Error(result.message);
  return result;
}
