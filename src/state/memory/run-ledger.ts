import { findUsedUp } from '../../broker/find-used-up.ts';
import type { BudgetName, BudgetRefusal, Reservation, Settlement, Spending } from '../../broker/run-store.ts';
import type { RunLimits, RunUsage } from '../../core/run.ts';

/** The counters of one run. Nothing in here waits, so each method is one atomic step. */
export interface RunLedger {
  reserve(call: { leaseId: string; tool: string }): Reservation;
  renew(leaseId: string): boolean;
  settle(leaseId: string, spent: Spending): Settlement;
  usage(): RunUsage;
}

interface LeaseClock {
  readonly leaseMs: number;
  readonly now: () => number;
}

export function createRunLedger(limits: RunLimits, clock: LeaseClock): RunLedger {
  const leases = new Map<string, number>();
  const perTool = new Map<string, number>();
  const spent = { calls: 0, runTimeMs: 0, resultBytes: 0, artifactBytes: 0 };

  const dropLapsed = (): void => {
    for (const [lease, until] of leases) if (until <= clock.now()) leases.delete(lease);
  };
  const usage = (): RunUsage => {
    dropLapsed();
    return { ...spent, callsPerTool: Object.fromEntries(perTool), concurrentCalls: leases.size };
  };

  return {
    usage,
    reserve: ({ leaseId, tool }) => {
      const refusal = findUsedUp(usage(), limits, tool);
      if (refusal !== undefined) return refusal;
      leases.set(leaseId, clock.now() + clock.leaseMs);
      spent.calls += 1;
      perTool.set(tool, (perTool.get(tool) ?? 0) + 1);
      return { ok: true, usage: usage() };
    },
    // One that was settled or has lapsed meanwhile stays gone.
    renew: (leaseId) => {
      if (leases.has(leaseId)) leases.set(leaseId, clock.now() + clock.leaseMs);
      return true;
    },
    settle: (leaseId, call) => {
      leases.delete(leaseId);
      spent.runTimeMs += call.runTimeMs;
      const refusal =
        findOverrun('result_bytes', [spent.resultBytes, call.resultBytes, limits.resultBytes]) ??
        findOverrun('artifact_bytes', [spent.artifactBytes, call.artifactBytes, limits.artifactBytes]);
      if (refusal !== undefined) return refusal;
      spent.resultBytes += call.resultBytes;
      spent.artifactBytes += call.artifactBytes;
      return { ok: true, usage: usage() };
    },
  };
}

function findOverrun(
  budget: BudgetName,
  [used, more, limit]: readonly [number, number, number],
): BudgetRefusal | undefined {
  return used + more > limit ? { ok: false, budget, limit, used } : undefined;
}
