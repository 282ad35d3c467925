import type { ToolFile } from '../../core/artifact.ts';
import type { PinnedFile } from '../discovered-package.ts';
import type { RunResult } from './run-result.ts';

/** 0 switches a time limit off. */
export interface RunLimits {
  /** From start to end. */
  readonly timeoutMs: number;
  /** Since the last byte on stdout or stderr. */
  readonly idleMs: number;
  /** Private memory of each process (RLIMIT_DATA), in mebibytes. */
  readonly memoryMb: number;
  /** All that a run may leave on disk while it runs: working directory, home and temporary files. */
  readonly workDirBytes: number;
  /** Files and directories among them: many empty ones fill a disk too. */
  readonly maxWorkDirEntries: number;
  /** Kept of stdout and of stderr, each; the rest is read and counted. */
  readonly keepBytes: number;
  /** Both streams together; beyond it the run is ended. */
  readonly maxOutputBytes: number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

const MIB = 1024 * 1024;

/** Design section 6. */
export const DEFAULT_RUN_LIMITS: RunLimits = {
  timeoutMs: 60_000,
  idleMs: 30_000,
  memoryMb: 1_024,
  workDirBytes: 256 * MIB,
  maxWorkDirEntries: 20_000,
  keepBytes: MIB,
  maxOutputBytes: 512 * MIB,
  graceMs: 2_000,
};

/** What must be known to start a launcher, before its arguments are. */
export interface StartSpec {
  /** Absolute, inside `packageDir`. */
  readonly launcher: string;
  readonly packageDir: string;
  /** Nothing is started when one of them has changed. */
  readonly pinned?: readonly PinnedFile[];
  /** `[]` lists, `[command]` describes, `[command, json]` and `[command, '-']` run. */
  readonly argv: readonly string[];
  /** Variables that the operator grants, by name. */
  readonly env?: Readonly<Record<string, string>>;
  /** Hosts that the policy grants; any at all turns the network on. */
  readonly hosts?: readonly string[];
  readonly limits?: Partial<RunLimits>;
  /** Tries again for so long while the launcher is being written (ETXTBSY). For boot; 0 by default. */
  readonly busyRetryMs?: number;
}

/** What one call adds. */
export interface CallSpec<Harvest = undefined> {
  /** Written to stdin, which is then closed. Absent: stdin is /dev/null. */
  readonly stdin?: string;
  /** Laid into the working directory. */
  readonly files?: readonly Pick<ToolFile, 'name' | 'bytes'>[];
  /** Ends the run. A reason of `deadline` (itself, or as its `reason`) makes the outcome a timeout. */
  readonly signal?: AbortSignal;
  /** Called when all processes have ended, before the working directory is removed. */
  readonly harvest?: (result: RunResult, workDir: string) => Promise<Harvest>;
}

export type RunSpec<Harvest = undefined> = StartSpec & CallSpec<Harvest>;
