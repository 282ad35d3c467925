import { BrokerError } from '../core/broker-error.ts';
import { ERROR_CODES } from '../core/error-codes.ts';
import type { ToolResult } from '../core/tool.ts';
import { createCallSignal, type CallSignal } from './call-signal.ts';
import type { Call, ReadyCall } from './call.ts';
import type { CallParts, ServiceState } from './call-parts.ts';
import { startHeartbeat, type Heartbeat } from './heartbeat.ts';
import type { InvocationFailure, InvocationOutcome, InvocationSuccess } from './invocation.ts';
import type { Release } from './lane-gate.ts';
import { admitCall } from './steps/admit-call.ts';
import { checkResult } from './steps/check-result.ts';
import { executeTool } from './steps/execute-tool.ts';
import { liftArtifact } from './steps/lift-artifact.ts';
import { reserveBudget, type BudgetHold } from './steps/reserve-budget.ts';
import { takeRate } from './steps/take-rate.ts';

const BEAT_MS = 1_000;

/** Admit, execute, check, lift: the deadline runs. */
export async function startCall(
  call: ReadyCall,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  if (service.draining) throw new BrokerError('OVERLOADED', 'The service is stopping.', { retryAfter: 5 });
  await takeRate(call, parts.rateLimiter);
  const timing = createCallSignal(call.entry.limits.timeoutMs, call.request.disconnected, service.stopping);
  try {
    const release = await admitCall(call, service.lanes, timing);
    const hold = await reserve(call, parts, release);
    const result = await runHeld(call, parts, { timing, release, hold, service });
    return result.status === 'ok' ? await succeed(call, result, parts) : fail(call, result);
  } finally {
    timing.dispose();
  }
}

async function reserve(call: ReadyCall, parts: CallParts, release: Release): Promise<BudgetHold | undefined> {
  const { run } = call.request.caller;
  if (run === undefined) return undefined;
  try {
    return await reserveBudget(call, run, parts.budgets);
  } catch (error) {
    release();
    throw error;
  }
}

interface Held {
  readonly timing: CallSignal;
  readonly release: Release;
  readonly hold: BudgetHold | undefined;
  readonly service: ServiceState;
}

/** What the call spent is counted whatever becomes of it. */
async function runHeld(call: ReadyCall, parts: CallParts, held: Held): Promise<ToolResult> {
  const { timing, release, hold } = held;
  const heartbeat = beatFor(held);
  try {
    const result = checkResult(call, await executeTool(call, { timing, release, log: parts.log }));
    return (await hold?.settle(spentBy(call))) ?? result;
  } catch (error) {
    await hold?.settle({ ...spentBy(call), resultBytes: 0, artifactBytes: 0 });
    throw error;
  } finally {
    heartbeat?.stop();
  }
}

/** Only a call that holds something that others look at needs one. */
function beatFor({ timing, hold, service: { keyHold } }: Held): Heartbeat | undefined {
  if (hold === undefined && keyHold === undefined) return undefined;
  const beat = async (): Promise<boolean> => {
    await keyHold?.renew();
    return (await hold?.renew()) ?? true;
  };
  return startHeartbeat(BEAT_MS, beat, () => timing.abort('run_over'));
}

function spentBy(call: Call): { runTimeMs: number; resultBytes: number; artifactBytes: number } {
  const { runMs, resultBytes, artifactBytes } = call;
  return { runTimeMs: Math.ceil(runMs), resultBytes, artifactBytes };
}

async function succeed(
  call: ReadyCall,
  result: ToolResult & { status: 'ok' },
  parts: CallParts,
): Promise<InvocationSuccess> {
  const lifted = await liftArtifact(call, result.file, parts);
  return { ok: true, output: result.output, ...lifted, ...factsOf(call) };
}

function fail(call: ReadyCall, result: ToolResult & { status: 'failed' }): InvocationFailure {
  const facts = ERROR_CODES[result.code];
  return {
    ok: false,
    delivery: call.delivery,
    code: result.code,
    message: result.message,
    resolution: result.resolution ?? facts.resolution,
    retryable: result.retryable ?? facts.retryable,
    ...(result.output === undefined ? {} : { output: result.output }),
    ...factsOf(call),
  };
}

function factsOf(call: ReadyCall) {
  return {
    invocationId: call.invocationId,
    ref: call.entry.ref,
    /** Whole milliseconds from admission to answer. */
    durationMs: Math.round(call.queueMs + call.runMs),
    quotas: call.quotas,
    replayed: false,
  };
}
