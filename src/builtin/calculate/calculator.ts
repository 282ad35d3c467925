import type { Fault } from '../../core/broker-error.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ExecuteContext, Tool, ToolResult } from '../../core/tool.ts';
import { type CalculationPool, createCalculationPool } from './calculation-pool.ts';
import type { CalculationReply, CalculationTask } from './worker.ts';
import { CALCULATOR_SPEC, MAX_EXPRESSION_CHARACTERS } from './calculator-spec.ts';
import { ExpressionError } from './expression-error.ts';
import { readExpression } from './read-expression.ts';

export interface CalculatorOptions {
  /** Worker threads kept ready; 1 when absent. */
  readonly threads?: number;
}

export interface Calculator {
  readonly tool: Tool;
  /** Ends the worker threads. */
  readonly close: () => Promise<void>;
}

/**
 * `calculate@1`. What is wrong with the text of an expression is found by `check`, in this thread; what only shows
 * while it is worked out (a division by zero, units that do not match) is the result's INVALID_INPUT.
 */
export function createCalculator(options: CalculatorOptions = {}): Calculator {
  const pool = createCalculationPool(options.threads ?? 1);
  return {
    tool: {
      spec: CALCULATOR_SPEC,
      check: checkExpression,
      execute: async (args, context) => calculate(pool, args, context),
    },
    close: pool.close,
  };
}

/** Leaves types and lengths to the schema. */
function checkExpression(args: JsonObject): readonly Fault[] {
  const { expression } = args;
  if (typeof expression !== 'string' || expression === '' || isTooLong(expression)) return [];
  try {
    readExpression(expression);
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [{ path: '/expression', message: `${error.message} ${error.resolution}` }];
  }
}

/** UTF-16 length first: a text twice the limit is too long whatever it holds. */
function isTooLong(text: string): boolean {
  return text.length > 2 * MAX_EXPRESSION_CHARACTERS || Array.from(text).length > MAX_EXPRESSION_CHARACTERS;
}

async function calculate(
  pool: CalculationPool,
  args: JsonObject,
  context: ExecuteContext,
): Promise<ToolResult> {
  const { expression, precision } = args;
  const task: CalculationTask = {
    expression: typeof expression === 'string' ? expression : '',
    ...(typeof precision === 'number' ? { precision } : {}),
  };
  try {
    return toResult(await pool.run(task, context.signal));
  } catch {
    return context.signal.aborted ? STOPPED : BROKEN_OFF;
  }
}

function toResult(reply: CalculationReply): ToolResult {
  if (reply.kind === 'answer') return { status: 'ok', output: reply.output };
  return { status: 'failed', code: 'INVALID_INPUT', message: reply.message, resolution: reply.resolution };
}

const STOPPED: ToolResult = {
  status: 'failed',
  code: 'TIMEOUT',
  message: 'The calculation was stopped before it ended.',
  resolution: 'Use smaller numbers or fewer steps, then call again.',
};

const BROKEN_OFF: ToolResult = {
  status: 'failed',
  code: 'TOOL_CRASHED',
  message: 'The calculation needed more memory or digits than it may have.',
  resolution: 'Use smaller numbers or fewer steps.',
};
