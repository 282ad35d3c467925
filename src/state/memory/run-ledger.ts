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
  const leases = createLeases(clock);
  const perTool: Record<string, number> = {};
  const spent = { calls: 0, runTimeMs: 0, resultBytes: 0, artifactBytes: 0 };
  const copy = (): RunUsage => ({ ...spent, callsPerTool: { ...perTool }, concurrentCalls: leases.count() });

  return {
    usage: () => {
      leases.dropLapsed();
      return copy();
    },
    reserve: ({ leaseId, tool }) => {
      // Lapsed ones are in the way only where all places are taken.
      if (leases.count() >= limits.concurrentCalls) leases.dropLapsed();
      const refusal = findUsedUp(
        { ...spent, callsPerTool: perTool, concurrentCalls: leases.count() },
        limits,
        tool,
      );
      if (refusal !== undefined) return refusal;
      leases.take(leaseId);
      spent.calls += 1;
      perTool[tool] = (Object.hasOwn(perTool, tool) ? (perTool[tool] ?? 0) : 0) + 1;
      return { ok: true, usage: copy() };
    },
    renew: (leaseId) => leases.renew(leaseId),
    settle: (leaseId, call) => {
      leases.release(leaseId);
      spent.runTimeMs += call.runTimeMs;
      const refusal =
        findOverrun('result_bytes', [spent.resultBytes, call.resultBytes, limits.resultBytes]) ??
        findOverrun('artifact_bytes', [spent.artifactBytes, call.artifactBytes, limits.artifactBytes]);
      if (refusal !== undefined) return refusal;
      spent.resultBytes += call.resultBytes;
      spent.artifactBytes += call.artifactBytes;
      return { ok: true, usage: copy() };
    },
  };
}

function createLeases({ leaseMs, now }: LeaseClock) {
  const until = new Map<string, number>();
  return {
    count: () => until.size,
    take: (id: string) => void until.set(id, now() + leaseMs),
    release: (id: string) => void until.delete(id),
    // One that was settled or has lapsed meanwhile stays gone.
    renew: (id: string) => {
      if (until.has(id)) until.set(id, now() + leaseMs);
      return true;
    },
    dropLapsed: () => {
      const moment = now();
      for (const [id, end] of until) if (end <= moment) until.delete(id);
    },
  };
}

function findOverrun(
  budget: BudgetName,
  [used, more, limit]: readonly [number, number, number],
): BudgetRefusal | undefined {
  return used + more > limit ? { ok: false, budget, limit, used } : undefined;
}
