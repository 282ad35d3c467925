import type { RunState } from '../broker/run-service.ts';
import type { StartedRun } from '../broker/start-run.ts';
import type { RunLimits, RunUsage } from '../core/run.ts';

/** A run as its start answers it: the only time that the token is seen. */
export function toStartedRun({ run, token, ignored }: StartedRun): object {
  return {
    run_id: run.id,
    token,
    tools: run.tools,
    limits: toAmounts(run.limits),
    ignored,
    expires_at: run.expiresAt.toISOString(),
  };
}

export function toRunAnswer({ run, usage }: RunState): object {
  return {
    run_id: run.id,
    ...(run.profile !== undefined && { profile: run.profile }),
    tools: run.tools,
    labels: run.labels,
    limits: toAmounts(run.limits),
    used: toAmounts(usage),
    left: toAmounts(subtract(run.limits, usage)),
    started_at: run.startedAt.toISOString(),
    expires_at: run.expiresAt.toISOString(),
  };
}

function toAmounts(amounts: RunLimits | RunUsage): object {
  return {
    calls: amounts.calls,
    calls_per_tool: amounts.callsPerTool,
    result_bytes: amounts.resultBytes,
    artifact_bytes: amounts.artifactBytes,
    run_time_ms: amounts.runTimeMs,
    concurrent_calls: amounts.concurrentCalls,
  };
}

/** Time may be over its limit: a call that has begun is counted to its end. */
function subtract(limits: RunLimits, used: RunUsage): RunUsage {
  const rest = (limit: number, amount: number): number => Math.max(0, limit - amount);
  const perTool = Object.entries(limits.callsPerTool).map(([tool, limit]) => {
    const amount = Object.hasOwn(used.callsPerTool, tool) ? (used.callsPerTool[tool] ?? 0) : 0;
    return [tool, rest(limit, amount)] as const;
  });
  return {
    calls: rest(limits.calls, used.calls),
    callsPerTool: Object.fromEntries(perTool),
    resultBytes: rest(limits.resultBytes, used.resultBytes),
    artifactBytes: rest(limits.artifactBytes, used.artifactBytes),
    runTimeMs: rest(limits.runTimeMs, used.runTimeMs),
    concurrentCalls: rest(limits.concurrentCalls, used.concurrentCalls),
  };
}
