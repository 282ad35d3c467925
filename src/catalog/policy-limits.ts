import { availableParallelism } from 'node:os';

import type { PolicyLimits } from './policy.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const HOUR_MS = 3_600_000;

/** One limit as the policy writes it. Values are whole, from 1 to `ceiling`. */
export interface LimitRule {
  readonly field: keyof PolicyLimits;
  readonly fallback: number;
  readonly ceiling: number;
}

/** The limits of design section 6, by the key that stands in the policy. */
export const LIMIT_RULES: Readonly<Record<string, LimitRule>> = {
  builtin_timeout_ms: { field: 'builtinTimeoutMs', fallback: 10_000, ceiling: 10 * 60_000 },
  max_argument_bytes: { field: 'maxArgumentBytes', fallback: MIB, ceiling: 64 * MIB },
  max_artifact_bytes: { field: 'maxArtifactBytes', fallback: 16 * MIB, ceiling: 256 * MIB },
  inline_artifact_bytes: { field: 'inlineArtifactBytes', fallback: 4 * MIB, ceiling: 64 * MIB },
  artifact_ttl_ms: { field: 'artifactTtlMs', fallback: HOUR_MS, ceiling: 7 * 24 * HOUR_MS },
  artifact_store_bytes: { field: 'artifactStoreBytes', fallback: GIB, ceiling: 64 * GIB },
  max_concurrent_calls: {
    field: 'maxConcurrentCalls',
    fallback: 2 * availableParallelism(),
    ceiling: 10_000,
  },
  package_timeout_ms: { field: 'packageTimeoutMs', fallback: 60_000, ceiling: HOUR_MS },
  package_idle_ms: { field: 'packageIdleMs', fallback: 30_000, ceiling: HOUR_MS },
  package_memory_mb: { field: 'packageMemoryMb', fallback: 1_024, ceiling: 1_048_576 },
  package_work_dir_bytes: { field: 'packageWorkDirBytes', fallback: 256 * MIB, ceiling: 64 * GIB },
  max_warm_processes: { field: 'maxWarmProcesses', fallback: 2 * availableParallelism(), ceiling: 1_000 },
  run_ttl_ms: { field: 'runTtlMs', fallback: HOUR_MS, ceiling: 7 * 24 * HOUR_MS },
  run_calls: { field: 'runCalls', fallback: 1_000, ceiling: 1_000_000 },
  run_result_bytes: { field: 'runResultBytes', fallback: 256 * MIB, ceiling: 64 * GIB },
  run_artifact_bytes: { field: 'runArtifactBytes', fallback: GIB, ceiling: 64 * GIB },
  run_time_ms: { field: 'runTimeMs', fallback: HOUR_MS, ceiling: 7 * 24 * HOUR_MS },
  run_concurrent_calls: { field: 'runConcurrentCalls', fallback: 16, ceiling: 10_000 },
  max_runs: { field: 'maxRuns', fallback: 10_000, ceiling: 1_000_000 },
  max_runs_per_caller: { field: 'maxRunsPerCaller', fallback: 1_000, ceiling: 1_000_000 },
  max_queued_calls: { field: 'maxQueuedCalls', fallback: 64, ceiling: 100_000 },
};

/** The limits in force: what is written, and the default for the rest. Values were checked against the rules. */
export function settleLimits(written: Readonly<Record<string, number | undefined>>): PolicyLimits {
  const settled = Object.entries(LIMIT_RULES).map(
    ([key, { field, fallback }]) => [field, written[key] ?? fallback] as const,
  );
  return Object.fromEntries(settled) as unknown as PolicyLimits;
}
