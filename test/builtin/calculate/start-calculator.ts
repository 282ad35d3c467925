import { Ajv2020 } from 'ajv/dist/2020.js';
import { createCalculator } from '../../../src/builtin/calculate/calculator.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { EMPTY_SHELF } from '../../../src/core/shelf.ts';
import type { Tool, ToolResult } from '../../../src/core/tool.ts';

export interface CalculatorUnderTest {
  readonly tool: Tool;
  readonly close: () => Promise<void>;
  readonly matchesSchema: (args: JsonObject) => boolean;
  /** As the broker does it: check, then schema, then execute. */
  readonly call: (args: JsonObject, signal?: AbortSignal) => Promise<ToolResult>;
  /** The output, or the failed result. */
  readonly outputOf: (expression: string, precision?: number) => Promise<unknown>;
  /** What a caller reads who is refused with INVALID_INPUT. */
  readonly refusalOf: (expression: string) => Promise<string>;
}

export function startCalculator(): CalculatorUnderTest {
  const { tool, close } = createCalculator();
  const validate = new Ajv2020().compile(tool.spec.inputSchema);
  const matchesSchema = (args: JsonObject): boolean => validate(args);

  async function call(args: JsonObject, signal = new AbortController().signal): Promise<ToolResult> {
    const [fault] = tool.check!(args);
    if (fault !== undefined) return { status: 'failed', code: 'INVALID_INPUT', message: fault.message };
    if (!matchesSchema(args)) return { status: 'failed', code: 'INVALID_INPUT', message: 'schema' };
    return tool.execute(args, {
      signal,
      files: [],
      deadline: performance.now() + 5000,
      log: () => {},
      shelf: EMPTY_SHELF,
    });
  }

  return {
    tool,
    close,
    matchesSchema,
    call,
    outputOf: async (expression, precision) => {
      const result = await call({ expression, ...(precision === undefined ? {} : { precision }) });
      return result.status === 'ok' ? result.output : result;
    },
    refusalOf: async (expression) => {
      const result = await call({ expression });
      if (result.status === 'ok') return `answered ${JSON.stringify(result.output)}`;
      return `${result.code}: ${result.message} ${result.resolution ?? ''}`;
    },
  };
}
