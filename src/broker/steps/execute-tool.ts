import { BrokerError } from '../../core/broker-error.ts';
import { EMPTY_SHELF } from '../../core/shelf.ts';
import type { AbortReason, ExecuteContext, ToolResult } from '../../core/tool.ts';
import type { CallSignal } from '../call-signal.ts';
import type { ReadyCall } from '../call.ts';
import { endedWithRun } from './reserve-budget.ts';
import type { Release } from '../lane-gate.ts';

/** What a tool that was told to stop may still take to say so, with its partial output. */
const SETTLE_MS = 5_000;

/**
 * Step 5: runs the tool. The place is given back when the tool has really ended; the caller's answer does not
 * wait for that: a tool that ignores its signal is answered for after a grace. Rejects only where the tool throws.
 */
export async function executeTool(
  call: ReadyCall,
  { timing, release, log }: { timing: CallSignal; release: Release; log: ExecuteContext['log'] },
): Promise<ToolResult> {
  const since = performance.now();
  call.started = true;
  try {
    const running = execute(call, {
      get signal() {
        return timing.signal;
      },
      files: call.files,
      deadline: timing.deadline,
      log,
      shelf: call.request.grant.shelf ?? EMPTY_SHELF,
    });
    void running.then(release, release);
    try {
      return await firstOf(running, timing);
    } catch (error) {
      if (timing.reason !== undefined) return endedEarly(timing.reason);
      throw error;
    }
  } finally {
    call.runMs = performance.now() - since;
  }
}

/**
 * A tool that throws before it returns its promise rejects like any other. With a BrokerError it says that it did not
 * start, so the call may be repeated.
 */
async function execute(call: ReadyCall, context: ExecuteContext): Promise<ToolResult> {
  try {
    return await call.entry.execute(call.args, context);
  } catch (error) {
    if (error instanceof BrokerError) call.started = false;
    throw error;
  }
}

/** What the tool says; or, some time after it was told to stop, that it was. */
async function firstOf(running: Promise<ToolResult>, timing: CallSignal): Promise<ToolResult> {
  let timer: NodeJS.Timeout | undefined;
  const abandoned = new Promise<ToolResult>((resolve) => {
    timing.onAbort(() => {
      timer = setTimeout(() => resolve(endedEarly(timing.reason ?? 'shutdown')), SETTLE_MS);
    });
  });
  try {
    return await Promise.race([running, abandoned]);
  } finally {
    clearTimeout(timer);
  }
}

function endedEarly(reason: AbortReason): ToolResult {
  if (reason === 'run_over') return endedWithRun();
  const message = {
    deadline: 'The tool did not finish before its deadline and was stopped.',
    disconnect: 'The client left and the tool was stopped.',
    shutdown: 'The service is stopping and the tool was stopped.',
  }[reason];
  return { status: 'failed', code: 'TIMEOUT', message };
}
