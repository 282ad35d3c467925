import type { AbortReason } from '../core/tool.ts';

/** Why a call was ended early; the first reason stands. */
export class CallAborted extends Error {
  readonly reason: AbortReason;

  constructor(reason: AbortReason) {
    super(`the call was ended: ${reason}`);
    this.name = 'CallAborted';
    this.reason = reason;
  }
}

export interface CallSignal {
  readonly signal: AbortSignal;
  /** Ends the call for another reason. */
  readonly abort: (reason: AbortReason) => void;
  /** On the clock of performance.now(), in milliseconds. */
  readonly deadline: number;
  /** Stops the timer and lets go of both sources. */
  readonly dispose: () => void;
}

/**
 * Joins the deadline, the service's stopping and, where that counts, the client's leaving into one signal; its reason is a
 * CallAborted.
 */
export function createCallSignal(
  timeoutMs: number,
  stopping: AbortSignal,
  disconnected: AbortSignal | undefined,
): CallSignal {
  const controller = new AbortController();
  const abort = (reason: AbortReason): void => controller.abort(new CallAborted(reason));
  const onDisconnect = (): void => abort('disconnect');
  const onStop = (): void => abort('shutdown');
  const timer = setTimeout(() => abort('deadline'), timeoutMs);
  if (disconnected?.aborted === true) onDisconnect();
  else disconnected?.addEventListener('abort', onDisconnect, { once: true });
  if (stopping.aborted) onStop();
  else stopping.addEventListener('abort', onStop, { once: true });
  return {
    signal: controller.signal,
    abort,
    deadline: performance.now() + timeoutMs,
    dispose: () => {
      clearTimeout(timer);
      disconnected?.removeEventListener('abort', onDisconnect);
      stopping.removeEventListener('abort', onStop);
    },
  };
}
