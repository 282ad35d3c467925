import type { Catalog } from '../catalog/catalog.ts';
import { BrokerError } from '../core/broker-error.ts';
import { quote } from '../core/quote.ts';
import type { RunLimits } from '../core/run.ts';

/**
 * Budgets by tool, under the names by which calls are counted. Throws INVALID_INPUT for one that names no tool of the
 * run: a budget that is misspelt must not stand there without effect.
 */
export function nameToolBudgets(
  limits: RunLimits,
  tools: readonly string[],
  resolve: Catalog['resolve'],
): RunLimits {
  const inRun = new Set(tools);
  const budgets = new Map<string, number>();
  for (const [text, calls] of Object.entries(limits.callsPerTool)) {
    const entry = resolve(text);
    if (entry === undefined || !inRun.has(entry.ref)) throw noSuchTool(text);
    budgets.set(entry.spec.name, Math.min(calls, budgets.get(entry.spec.name) ?? calls));
  }
  return { ...limits, callsPerTool: Object.fromEntries(budgets) };
}

function noSuchTool(text: string): BrokerError {
  const name = quote(text).slice(1, -1);
  return new BrokerError('INVALID_INPUT', `limits.calls_per_tool.${name} names no tool of this run.`, {
    resolution: 'Name a tool that the run may call, or leave the budget out.',
    details: [{ path: `/limits/calls_per_tool/${name}`, message: 'names no tool of this run' }],
  });
}
