import type { AbortReason } from '../core/tool.ts';

/** What the signal of a call that was ended early has as its reason. */
export class CallAborted extends Error {
  readonly reason: AbortReason;

  constructor(reason: AbortReason) {
    super(`the call was ended: ${reason}`);
    this.name = 'CallAborted';
    this.reason = reason;
  }
}

/** Whether the client still waits for its answer. */
export interface Client {
  readonly left: boolean;
  /** At most one listener; it is called when the client leaves. */
  readonly onLeave: (listener: () => void) => void;
}

/** The calls that have not been answered, so that the service can end them when it stops. */
export type OpenCalls = Set<Pick<CallSignal, 'abort'>>;

export interface CallSignal {
  /** Made when it is first asked for: most calls are over before anybody does, and it costs more than they do. */
  readonly signal: AbortSignal;
  /** Why the call was ended early; the first reason stands. Absent while it was not. */
  readonly reason: AbortReason | undefined;
  /** At most one listener; it is called when the call is ended early, also if that was before. */
  readonly onAbort: (listener: () => void) => void;
  readonly abort: (reason: AbortReason) => void;
  /** On the clock of performance.now(), in milliseconds. */
  readonly deadline: number;
  /** Stops the timer and lets go of everything. */
  readonly dispose: () => void;
}

/** Joins the deadline, the service's stopping and, where that counts, the client's leaving. */
export function createCallSignal(timeoutMs: number, open: OpenCalls, client: Client | undefined): CallSignal {
  let controller: AbortController | undefined;
  let reason: AbortReason | undefined;
  let listener: (() => void) | undefined;
  const abort = (why: AbortReason): void => {
    if (reason !== undefined) return;
    reason = why;
    controller?.abort(new CallAborted(why));
    listener?.();
  };
  const timer = setTimeout(abort, timeoutMs, 'deadline');
  const call: CallSignal = {
    get signal() {
      controller ??= createController(reason);
      return controller.signal;
    },
    get reason() {
      return reason;
    },
    onAbort: (wanted) => {
      listener = wanted;
      if (reason !== undefined) wanted();
    },
    abort,
    deadline: performance.now() + timeoutMs,
    dispose: () => {
      clearTimeout(timer);
      open.delete(call);
      listener = undefined;
    },
  };
  open.add(call);
  if (client?.left === true) abort('disconnect');
  else client?.onLeave(() => abort('disconnect'));
  return call;
}

function createController(reason: AbortReason | undefined): AbortController {
  const controller = new AbortController();
  if (reason !== undefined) controller.abort(new CallAborted(reason));
  return controller;
}
