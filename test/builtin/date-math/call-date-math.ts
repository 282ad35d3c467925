import { Ajv2020 } from 'ajv/dist/2020.js';
import { createDateMathTool } from '../../../src/builtin/date-math/date-math.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { EMPTY_SHELF } from '../../../src/core/shelf.ts';
import type { ExecuteContext, ToolResult } from '../../../src/core/tool.ts';

/** Its clock stands at 2026-02-28T23:30:05.678Z. */
export const tool = createDateMathTool({ now: () => Date.UTC(2026, 1, 28, 23, 30, 5, 678) });

export const context: ExecuteContext = {
  signal: new AbortController().signal,
  files: [],
  deadline: Number.POSITIVE_INFINITY,
  log: () => {},
  shelf: EMPTY_SHELF,
};

const validate = new Ajv2020({ strict: true }).compile(tool.spec.inputSchema);

export function matchesSchema(args: JsonObject): boolean {
  return validate(args);
}

/** As the broker does it: check, then schema, then execute. */
async function call(args: JsonObject): Promise<ToolResult> {
  const [fault] = tool.check!(args);
  if (fault !== undefined) return { status: 'failed', code: 'INVALID_INPUT', message: fault.message };
  if (!matchesSchema(args)) return { status: 'failed', code: 'INVALID_INPUT', message: 'schema' };
  return tool.execute(args, context);
}

export async function outputOf(args: JsonObject): Promise<JsonObject> {
  const result = await call(args);
  return result.status === 'ok' ? result.output : { refused: result.message };
}

/** What a caller reads who is refused; the output when it was not. */
export async function refusalOf(args: JsonObject): Promise<string> {
  const result = await call(args);
  return result.status === 'ok'
    ? JSON.stringify(result.output)
    : `${result.message} ${result.resolution ?? ''}`;
}
