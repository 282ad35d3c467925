/**
 * Why a run ended; settled before anything is killed, and the first reason stands.
 * `not_started`: the program itself never ran.
 */
export type RunOutcome =
  | 'exited'
  | 'signalled'
  | 'timeout'
  | 'idle'
  | 'aborted'
  | 'output_limit'
  | 'disk_limit'
  | 'not_started';

/** What was kept of one stream: its start and its end. */
export interface KeptOutput {
  readonly head: Buffer;
  /** Empty unless `truncated`. */
  readonly tail: Buffer;
  /** All that was written, kept or not. */
  readonly totalBytes: number;
  readonly truncated: boolean;
}

/** One shape for success and failure. */
export interface RunResult {
  readonly outcome: RunOutcome;
  /** Only when the program ended by itself with a code. */
  readonly exitCode?: number;
  /** What ended it when it did not exit, e.g. `SIGSEGV`; ours only where `outcome` says that we ended it. */
  readonly signal?: string;
  readonly stdout: KeptOutput;
  readonly stderr: KeptOutput;
  readonly durationMs: number;
  /** Why it did not start, as a sentence. */
  readonly startError?: string;
  /** The same for the operator: what the sandbox itself said, with paths of this machine. */
  readonly startDetail?: string;
  /** What the abort signal said, when `outcome` is `aborted`. */
  readonly abortReason?: string;
}

export interface Harvested<Harvest> {
  readonly result: RunResult;
  /** Undefined when nothing was asked for, or the program never ran. */
  readonly harvest: Harvest | undefined;
}
