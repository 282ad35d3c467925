import { EMPTY_SHELF } from '../../core/shelf.ts';
import type { AbortReason, ExecuteContext, ToolResult } from '../../core/tool.ts';
import { CallAborted, type CallSignal } from '../call-signal.ts';
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
  const { signal, deadline } = timing;
  const since = performance.now();
  call.started = true;
  try {
    const running = execute(call, {
      files: call.files,
      signal,
      deadline,
      log,
      shelf: call.request.grant.shelf ?? EMPTY_SHELF,
    });
    void running.then(release, release);
    const abandoned = abandon(signal);
    try {
      return await Promise.race([running, abandoned.result]);
    } catch (error) {
      if (signal.aborted) return endedEarly(signal);
      throw error;
    } finally {
      abandoned.dispose();
    }
  } finally {
    call.runMs = performance.now() - since;
  }
}

/** A tool that throws before it returns its promise rejects like any other. */
async function execute({ entry, args }: ReadyCall, context: ExecuteContext): Promise<ToolResult> {
  return entry.execute(args, context);
}

/** Resolves only some time after the signal has aborted. */
function abandon(signal: AbortSignal): { result: Promise<ToolResult>; dispose: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const result = new Promise<ToolResult>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => resolve(endedEarly(signal)), SETTLE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return {
    result,
    dispose: () => {
      clearTimeout(timer);
      if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
    },
  };
}

function endedEarly(signal: AbortSignal): ToolResult {
  const reason: AbortReason = signal.reason instanceof CallAborted ? signal.reason.reason : 'shutdown';
  if (reason === 'run_over') return endedWithRun();
  const message = {
    deadline: 'The tool did not finish before its deadline and was stopped.',
    disconnect: 'The client left and the tool was stopped.',
    shutdown: 'The service is stopping and the tool was stopped.',
  }[reason];
  return { status: 'failed', code: 'TIMEOUT', message };
}
