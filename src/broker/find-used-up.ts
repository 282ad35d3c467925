import type { RunLimits, RunUsage } from '../core/run.ts';
import type { BudgetName, BudgetRefusal } from './run-store.ts';

/** The first budget that has nothing left for one more call of this tool (its name); undefined when there is room. */
export function findUsedUp(usage: RunUsage, limits: RunLimits, tool: string): BudgetRefusal | undefined {
  const toolLimit = Object.hasOwn(limits.callsPerTool, tool) ? limits.callsPerTool[tool] : undefined;
  const toolUsed = Object.hasOwn(usage.callsPerTool, tool) ? (usage.callsPerTool[tool] ?? 0) : 0;
  return (
    findFull('calls', usage.calls, limits.calls) ??
    findFull('calls_per_tool', toolUsed, toolLimit ?? Infinity) ??
    findFull('run_time_ms', usage.runTimeMs, limits.runTimeMs) ??
    findFull('result_bytes', usage.resultBytes, limits.resultBytes) ??
    findFull('artifact_bytes', usage.artifactBytes, limits.artifactBytes) ??
    findFull('concurrent_calls', usage.concurrentCalls, limits.concurrentCalls)
  );
}

function findFull(budget: BudgetName, used: number, limit: number): BudgetRefusal | undefined {
  return used >= limit ? { ok: false, budget, limit, used } : undefined;
}
