import type { ConstantNode, FunctionNode, MathNode, ParenthesisNode, SymbolNode } from 'mathjs';
import { quote } from '../../core/quote.ts';
import { ExpressionError, placeOf } from './expression-error.ts';
import { FUNCTIONS } from './functions.ts';
import { math } from './math-instance.ts';
import { resolveName, unknownFunction, unknownName } from './names.ts';
import { OPERATORS } from './operators.ts';
import { scanExpression } from './scan-expression.ts';
import { settle, showValue } from './value.ts';

/** An operator with its operands; mathjs's own type for it has room for no operator at all. */
export interface Operation extends MathNode {
  readonly op: string;
  readonly fn: string;
  readonly args: MathNode[];
  readonly implicit: boolean;
}

/** The kinds of node that may stand in an expression. All others are refused. */
export type AllowedNode = ConstantNode | SymbolNode | Operation | FunctionNode | ParenthesisNode;

/**
 * The text as a tree that holds nothing but numbers, known names, and known operators and functions with the right
 * number of arguments. Throws ExpressionError. Bounded by the length of the text, so that it may run in any thread.
 */
export function readExpression(text: string): AllowedNode {
  const readable = scanExpression(text);
  const seen = new Set<MathNode>();
  const root = parse(readable);
  const open = [root];
  // The parser shares nodes (`1 + 1% + 1%`): without `seen` the walk would double with every percent sign.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!seen.has(node)) open.push(...childrenOf(allowed(readable, node)));
    seen.add(node);
  }
  for (const node of seen) {
    refuseNumberAfterUnit(node);
    refuseInchAsOperator(node);
  }
  return root as AllowedNode;
}

function parse(text: string): MathNode {
  try {
    return math.parse(text);
  } catch (error) {
    const at = (error as { char?: unknown }).char;
    const place = typeof at === 'number' ? placeOf(text, at - 1) : '';
    const reason =
      error instanceof SyntaxError ? error.message.replace(/ \(char \d+\)$/u, '') : 'it is not complete';
    throw new ExpressionError(
      `\`expression\` cannot be read${place}: ${reason}.`,
      'Write numbers joined by operators, such as (2 + 3) * 4, 5 ft in cm or max(1, 2).',
    );
  }
}

function allowed(text: string, node: MathNode): AllowedNode {
  if (math.isConstantNode(node)) return allowedConstant(node);
  if (math.isSymbolNode(node)) {
    if (resolveName(node.name) === undefined) throw unknownName(text, node.name);
    return node;
  }
  if (math.isOperatorNode(node)) return allowedOperator(node);
  if (math.isFunctionNode(node)) return allowedCall(text, node);
  if (math.isParenthesisNode(node)) return node;
  throw new ExpressionError(
    `\`expression\` holds ${KINDS.get(node.type) ?? 'something'}, which this tool does not work out.`,
    'Use only numbers, + - * / ^ % !, parentheses, one comparison, functions, constants and units.',
  );
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['RelationalNode', 'a chain of comparisons'],
  ['AssignmentNode', 'an assignment'],
  ['BlockNode', 'several statements'],
]);

function allowedConstant(node: ConstantNode): ConstantNode {
  const { value } = node as { value: unknown };
  if (typeof value === 'number' && Number.isFinite(value)) return node;
  if (!math.isBigNumber(value)) {
    throw new ExpressionError(`${quote(String(value))} is no number.`, 'Put a number in its place.');
  }
  settle(value, showValue(value));
  return node;
}

function allowedOperator(node: Operation): Operation {
  if (!OPERATORS.has(node.fn)) {
    throw new ExpressionError(
      `The operator ${quote(node.op)} cannot be used.`,
      'Use + - * / ^ % ! mod, in, to and the comparisons < <= > >= == !=.',
    );
  }
  return node;
}

/** `3 in cm` would be read as a product of an inch and a centimetre. */
function refuseInchAsOperator(node: MathNode): void {
  if (!math.isOperatorNode(node) || !node.implicit || !math.isSymbolNode(node.args[1])) return;
  const [before] = node.args;
  const last = before !== undefined && 'args' in before ? (before.args as MathNode[]).at(-1) : before;
  if (last !== undefined && math.isSymbolNode(last) && last.name === 'in') {
    throw new ExpressionError(
      '`in` reads as inches here, because the number before it has no unit to convert.',
      'Write the unit first, such as 3 m in cm; for inches times another unit write 3 in * 2 cm.',
    );
  }
}

/** `6 ft 2 in` would be read as a product of two lengths. Looked for last: an unknown name says more. */
function refuseNumberAfterUnit(node: MathNode): void {
  if (math.isOperatorNode(node) && node.implicit && startsWithNumber(node.args[1])) {
    throw new ExpressionError(
      'A number follows a unit or a parenthesis without an operator.',
      'Put an operator between them: write 6 ft + 2 in, not 6 ft 2 in.',
    );
  }
}

function startsWithNumber(node: MathNode | undefined): boolean {
  if (node === undefined) return false;
  return math.isOperatorNode(node) ? startsWithNumber(node.args[0]) : math.isConstantNode(node);
}

function allowedCall(text: string, node: FunctionNode): FunctionNode {
  const callee = node.fn as MathNode;
  const name = math.isSymbolNode(callee) ? callee.name : '';
  const called = FUNCTIONS.get(name);
  if (called === undefined) throw unknownFunction(text, name);
  if (node.args.length < called.least || node.args.length > called.most) {
    throw new ExpressionError(
      `${name} got ${countOf(node.args.length)}.`,
      `Give ${name} ${called.least === called.most ? '' : `${called.least} to `}${countOf(called.most)}${called.most === 1 ? '' : ', separated by commas'}.`,
    );
  }
  return node;
}

function countOf(count: number): string {
  return count === 1 ? '1 argument' : `${count} arguments`;
}

function childrenOf(node: AllowedNode): readonly MathNode[] {
  if (math.isParenthesisNode(node)) return [node.content];
  return 'args' in node ? node.args : [];
}
