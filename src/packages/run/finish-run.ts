import type { ProgramEnd } from './program-end.ts';
import { watchForEnding, type Ending } from './run-ending.ts';
import type { Harvested, KeptOutput, RunOutcome, RunResult } from './run-result.ts';
import type { CallSpec, RunLimits } from './run-spec.ts';
import type { StartedProcess } from './started-process.ts';
import type { WorkArea } from './work-area.ts';

const NOTHING: KeptOutput = { head: Buffer.alloc(0), tail: Buffer.alloc(0), totalBytes: 0, truncated: false };

/** The result of a run whose program never ran. What the sandbox said is not the program's output. */
export function refuseRun(startError: string, startDetail = ''): Harvested<never> {
  const result: RunResult = {
    outcome: 'not_started',
    stdout: NOTHING,
    stderr: NOTHING,
    durationMs: 0,
    startError,
    ...(startDetail === '' ? {} : { startDetail }),
  };
  return { result, harvest: undefined };
}

export interface StartedRun {
  readonly started: StartedProcess;
  readonly limits: RunLimits;
  readonly area: WorkArea;
  /** Ends it besides the call's own signal. */
  readonly stopping: AbortSignal;
}

/** Hands a started process its arguments, waits for its end under all limits, and gathers what it left. */
export async function finishRun<Harvest>(
  run: StartedRun,
  call: CallSpec<Harvest>,
): Promise<Harvested<Harvest>> {
  const { started, limits, area } = run;
  const startedAt = performance.now();
  const signals = call.signal === undefined ? [run.stopping] : [call.signal, run.stopping];
  const watch = watchForEnding({ started, limits, directory: area.directory, signals });
  if (call.stdin !== undefined) started.writeStdin(call.stdin);
  const end = await started.ended;
  watch.stop();
  const ours = watch.reason();
  if (ours.outcome === undefined && end.startError !== undefined) {
    return refuseRun(end.startError, end.startDetail);
  }
  const result: RunResult = {
    ...settle(ours, end),
    stdout: started.stdout.read(),
    stderr: started.stderr.read(),
    durationMs: performance.now() - startedAt,
  };
  return { result, harvest: await call.harvest?.(result, area.work) };
}

type Settled = Pick<RunResult, 'outcome' | 'exitCode' | 'signal' | 'abortReason'>;

/** Our own reason comes before how the program then ended. A full file is a full disk, whoever noticed. */
function settle(ours: Ending, end: ProgramEnd): Settled {
  if (ours.outcome !== undefined) return describeOurs(ours, ours.outcome, end.signal);
  if (end.signal === 'SIGXFSZ') return { outcome: 'disk_limit' };
  if (end.signal !== undefined) return { outcome: 'signalled', signal: end.signal };
  return { outcome: 'exited', exitCode: end.exitCode ?? 0 };
}

/** Killed by us, or of itself in answer to SIGTERM: a code that it then gave means nothing. */
function describeOurs({ abortReason }: Ending, outcome: RunOutcome, signal: string | undefined): Settled {
  return {
    outcome,
    ...(abortReason === undefined ? {} : { abortReason }),
    ...(signal === undefined ? {} : { signal }),
  };
}
