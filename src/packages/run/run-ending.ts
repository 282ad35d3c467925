import { watchDisk } from './disk-watch.ts';
import type { RunOutcome } from './run-result.ts';
import type { RunLimits } from './run-spec.ts';
import type { StartedProcess } from './started-process.ts';

/** Why a run was ended by us, if it was. */
export interface Ending {
  readonly outcome?: RunOutcome;
  readonly abortReason?: string;
}

export interface EndingWatch {
  /** The first reason; read it when the process has ended. */
  readonly reason: () => Ending;
  readonly stop: () => void;
}

export interface WatchedRun {
  readonly started: StartedProcess;
  readonly limits: RunLimits;
  readonly directory: string;
  readonly signals: readonly AbortSignal[];
}

/** Sets up every limit that ends a run. The reason is recorded before the kill, and the first one stands. */
export function watchForEnding(run: WatchedRun): EndingWatch {
  const { started, limits, signals } = run;
  let first: Ending = {};
  const end = (ending: Ending): void => {
    if (first.outcome !== undefined || !started.isAlive()) return;
    first = ending;
    started.end(limits.graceMs);
  };
  const onAbort = (): void => end(describeAbort(signals.find((signal) => signal.aborted)));
  const stops = [
    startTotalTimer(limits.timeoutMs, () => end({ outcome: 'timeout' })),
    watchOutput(run, end),
    watchDisk(run.directory, limits, () => end({ outcome: 'disk_limit' })).stop,
  ];
  if (signals.some((signal) => signal.aborted)) onAbort();
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  return {
    reason: () => first,
    stop: () => {
      for (const stop of stops) stop();
      for (const signal of signals) signal.removeEventListener('abort', onAbort);
    },
  };
}

function startTotalTimer(timeoutMs: number, expired: () => void): () => void {
  if (timeoutMs === 0) return () => {};
  const timer = setTimeout(expired, timeoutMs);
  return () => clearTimeout(timer);
}

/** One timer that looks when the last output was, not one new timer for each piece. */
function watchOutput({ started, limits }: WatchedRun, end: (ending: Ending) => void): () => void {
  let last = performance.now();
  let timer: NodeJS.Timeout | undefined;
  started.onOutput(() => {
    last = performance.now();
    if (started.stdout.totalBytes() + started.stderr.totalBytes() > limits.maxOutputBytes) {
      end({ outcome: 'output_limit' });
    }
  });
  const look = (): void => {
    const left = last + limits.idleMs - performance.now();
    if (left > 0) timer = setTimeout(look, Math.ceil(left));
    else end({ outcome: 'idle' });
  };
  if (limits.idleMs > 0) timer = setTimeout(look, limits.idleMs);
  return () => clearTimeout(timer);
}

/** The broker aborts with a reason, or with an error that carries one. */
function describeAbort(signal: AbortSignal | undefined): Ending {
  const given: unknown = signal?.reason;
  const inner = typeof given === 'object' && given !== null && 'reason' in given ? given.reason : given;
  const abortReason = typeof inner === 'string' ? inner : 'aborted';
  return abortReason === 'deadline' ? { outcome: 'timeout' } : { outcome: 'aborted', abortReason };
}
