import type { BudgetName, NewRun, Reservation } from '../../broker/run-store.ts';
import type { Run, RunLimits, RunUsage } from '../../core/run.ts';

/** The server's times stand before the JSON, which is the run as it was asked for. */
export function parseRun(text: string): Run {
  const [, startedAt, expiresAt, json = ''] = /^(\d+):(\d+):(.*)$/su.exec(text) ?? [];
  const run = JSON.parse(json) as NewRun;
  return Object.freeze({
    ...run,
    startedAt: new Date(Number(startedAt)),
    expiresAt: new Date(Number(expiresAt)),
  });
}

/** Names and values in turn, as a hash takes them. */
export function listLimits(limits: RunLimits): (string | number)[] {
  const totals = {
    calls: limits.calls,
    run_time_ms: limits.runTimeMs,
    result_bytes: limits.resultBytes,
    artifact_bytes: limits.artifactBytes,
    concurrent_calls: limits.concurrentCalls,
  };
  const perTool = Object.entries(limits.callsPerTool).map(
    ([tool, calls]) => [`tool:${tool}`, calls] as const,
  );
  return [...Object.entries(totals), ...perTool].flat();
}

/** What the scripts of a run answer with. */
export function readReservation(answer: unknown): Reservation {
  const [verdict, first, second] = answer as [string, number, unknown];
  if (verdict === 'ok') return { ok: true, usage: readUsage(first, second as string[]) };
  if (verdict === 'run_over') return { ok: false, budget: 'run_over' };
  return { ok: false, budget: verdict as BudgetName, limit: first, used: second as number };
}

function readUsage(concurrentCalls: number, pairs: readonly string[]): RunUsage {
  const counters = new Map<string, number>();
  for (let at = 0; at + 1 < pairs.length; at += 2) counters.set(pairs[at] ?? '', Number(pairs[at + 1]));
  const perTool = [...counters].flatMap(([name, count]) =>
    name.startsWith('tool:') && count > 0 ? [[name.slice('tool:'.length), count] as const] : [],
  );
  return {
    calls: counters.get('calls') ?? 0,
    callsPerTool: Object.fromEntries(perTool),
    resultBytes: counters.get('result_bytes') ?? 0,
    artifactBytes: counters.get('artifact_bytes') ?? 0,
    runTimeMs: counters.get('run_time_ms') ?? 0,
    concurrentCalls,
  };
}
