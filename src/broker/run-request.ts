import { BrokerError, type Fault } from '../core/broker-error.ts';
import type { RunLimits } from '../core/run.ts';

/** What a caller asks for when it starts a run. Absent: all that the caller may do, up to the policy's ceilings. */
export interface RunRequest {
  readonly profile?: string;
  /** Names, refs, packages and `package:command`. [] is nothing. */
  readonly tools?: readonly string[];
  readonly limits?: Partial<RunLimits>;
  readonly ttlMs?: number;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The most that a run may be given, and what it gets where nothing is asked for. */
export interface RunCeilings {
  readonly ttlMs: number;
  readonly limits: Omit<RunLimits, 'callsPerTool'>;
}

/** Each budget as it is written in requests and answers. */
const BUDGET_NAMES = {
  calls: 'calls',
  resultBytes: 'result_bytes',
  artifactBytes: 'artifact_bytes',
  runTimeMs: 'run_time_ms',
  concurrentCalls: 'concurrent_calls',
} as const satisfies Record<keyof RunCeilings['limits'], string>;

/** The limits of the run, each below its ceiling. Throws INVALID_INPUT with every one that is not. */
export function settleRunLimits(
  request: RunRequest,
  ceilings: RunCeilings,
): { limits: RunLimits; ttlMs: number } {
  const faults: Fault[] = [];
  const settle = (path: string, asked: number | undefined, ceiling: number): number => {
    if (asked === undefined) return ceiling;
    if (asked > ceiling) faults.push({ path, message: `is ${asked}; the policy allows at most ${ceiling}` });
    return asked;
  };
  const wanted = request.limits ?? {};
  const totals = Object.entries(BUDGET_NAMES).map(([field, name]) => {
    const budget = field as keyof typeof BUDGET_NAMES;
    return [field, settle(`/limits/${name}`, wanted[budget], ceilings.limits[budget])] as const;
  });
  const limits = Object.fromEntries(totals) as unknown as RunCeilings['limits'];
  const callsPerTool = Object.entries(wanted.callsPerTool ?? {}).map(
    ([tool, calls]) =>
      [tool, settle(`/limits/calls_per_tool/${tool}`, calls, ceilings.limits.calls)] as const,
  );
  const ttlMs =
    settle('/ttl_seconds', request.ttlMs && request.ttlMs / 1_000, ceilings.ttlMs / 1_000) * 1_000;
  if (faults.length > 0) {
    const [first] = faults;
    const message = `${first?.path.slice(1).replaceAll('/', '.')} ${first?.message}.`;
    throw new BrokerError('INVALID_INPUT', message, { details: faults });
  }
  return { limits: { ...limits, callsPerTool: Object.fromEntries(callsPerTool) }, ttlMs };
}
