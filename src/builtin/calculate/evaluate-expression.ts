import type { FunctionNode, MathNode } from 'mathjs';
import { ExpressionError } from './expression-error.ts';
import { FUNCTIONS } from './functions.ts';
import { math } from './math-instance.ts';
import { resolveName } from './names.ts';
import { operand, OPERATORS } from './operators.ts';
import type { AllowedNode, Operation } from './read-expression.ts';
import { settle, showValue, type Value } from './value.ts';

/**
 * The value of a tree that `readExpression` let through. Only the tables of operators, functions and names are ever
 * called: mathjs's own compiler is not used. Each node is worked out once, however often it is shared.
 */
export function evaluateExpression(root: AllowedNode): Value {
  const known = new Map<MathNode, Value>();

  function valueOf(node: MathNode): Value {
    const before = known.get(node);
    if (before !== undefined) return before;
    const value = compute(node);
    known.set(node, value);
    return value;
  }

  function compute(node: MathNode): Value {
    if (math.isParenthesisNode(node)) return valueOf(node.content);
    if (math.isConstantNode(node)) return math.bignumber(node.value);
    if (math.isOperatorNode(node)) return operate(node, node.args.map(valueOf));
    if (math.isFunctionNode(node)) return call(node, node.args.map(valueOf));
    const named = math.isSymbolNode(node) ? resolveName(node.name) : undefined;
    if (named === undefined) throw new ExpressionError('A name has no value.', 'Put a number in its place.');
    return named;
  }

  return valueOf(root);
}

function operate(node: Operation, values: readonly Value[]): Value {
  const [left, right = left] = values.map(operand);
  const apply = OPERATORS.get(node.fn);
  if (apply === undefined || left === undefined || right === undefined) {
    throw new ExpressionError('An operator has no operand.', 'Write a value on each side of it.');
  }
  const what = values.map(showOperand).join(` ${node.op} `);
  return attempt(() => apply(left, right), values.length === 1 ? `${node.op} of ${what}` : what);
}

function call(node: FunctionNode, values: readonly Value[]): Value {
  const { name } = node.fn as { name: string };
  const called = FUNCTIONS.get(name);
  if (called === undefined) throw new ExpressionError('A function is not known.', 'Use another one.');
  return attempt(() => called.apply(values), `${name}(${values.slice(0, 4).map(showValue).join(', ')})`);
}

function showOperand(value: Value): string {
  const text = showValue(value);
  return text.startsWith('-') ? `(${text})` : text;
}

function attempt(apply: () => unknown, what: string): Value {
  try {
    return settle(apply(), what);
  } catch (error) {
    if (error instanceof ExpressionError || hasLeftDisorder(error)) throw error;
    throw new ExpressionError(
      `${what} cannot be worked out.`,
      'Use arguments and units for which this operation has a real result.',
    );
  }
}

/**
 * decimal.js raises its precision during a step and does not put it back when the step throws: later sums of the
 * same thread then run out of memory. mathjs's own refusals of types and units come before any step.
 */
function hasLeftDisorder(error: unknown): boolean {
  return (
    !(error instanceof Error) || error instanceof RangeError || error.message.startsWith('[DecimalError]')
  );
}
