import type { JsonObject } from '../../core/json.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import { ExpressionError } from './expression-error.ts';
import { formatAnswer } from './format-answer.ts';
import { readExpression } from './read-expression.ts';

export interface CalculationTask {
  readonly expression: string;
  /** Significant digits to show, 1 to 30. */
  readonly precision?: number;
}

export type CalculationReply =
  | { readonly kind: 'answer'; readonly output: JsonObject }
  | { readonly kind: 'refused'; readonly message: string; readonly resolution: string };

/** Runs in a worker thread. A throw means that this thread's arithmetic may be in disorder: it must not be used again. */
export function runCalculation(task: CalculationTask): CalculationReply {
  try {
    const value = evaluateExpression(readExpression(task.expression));
    return { kind: 'answer', output: formatAnswer(value, task.precision) };
  } catch (error) {
    if (error instanceof ExpressionError) {
      return { kind: 'refused', message: error.message, resolution: error.resolution };
    }
    throw error;
  }
}
