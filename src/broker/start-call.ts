import { BrokerError } from '../core/broker-error.ts';
import type { ToolResult } from '../core/tool.ts';
import { createCallSignal, type CallSignal } from './call-signal.ts';
import type { Call, ReadyCall } from './call.ts';
import type { CallParts, ServiceState } from './call-parts.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { InvocationOutcome } from './invocation.ts';
import type { Release } from './lane-gate.ts';
import { toFailure, toSuccess, type Succeeded } from './outcome.ts';
import type { Spending } from './run-store.ts';
import { admitCall } from './steps/admit-call.ts';
import { checkResult } from './steps/check-result.ts';
import { executeTool } from './steps/execute-tool.ts';
import { liftArtifact } from './steps/lift-artifact.ts';
import { endedWithRun, reserveBudget, type BudgetHold } from './steps/reserve-budget.ts';
import { takeRate } from './steps/take-rate.ts';

/** Admit, execute, check, lift: the deadline runs. */
export async function startCall(
  call: ReadyCall,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  if (service.draining) throw new BrokerError('OVERLOADED', 'The service is stopping.', { retryAfter: 5 });
  await takeRate(call, parts.rateLimiter);
  const { client, idempotencyKey } = call.request;
  // Who sends a key will ask again for the answer, so the call goes on without its client.
  const leaving = idempotencyKey === undefined ? client : undefined;
  const timing = createCallSignal(call.entry.limits.timeoutMs, service.open, leaving);
  try {
    const release = await admitCall(call, service.lanes, timing);
    const hold = await reserve(call, parts, release);
    const result = await runHeld(call, parts, { timing, release, hold });
    return result.status === 'ok' ? await succeed(call, result, { parts, hold }) : toFailure(call, result);
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
}

/** What the call spent is counted whatever becomes of it. */
async function runHeld(
  call: ReadyCall,
  { log }: CallParts,
  { timing, release, hold }: Held,
): Promise<ToolResult> {
  const heartbeat = hold && startHeartbeat(hold.renew, () => timing.abort('run_over'));
  try {
    const result = checkResult(call, await executeTool(call, { timing, release, log }));
    return (await hold?.settle(spentOn(result, call))) ?? result;
  } catch (error) {
    await hold?.settle({ runTimeMs: Math.ceil(call.runMs), resultBytes: 0, artifactBytes: 0 });
    throw error;
  } finally {
    heartbeat?.stop();
  }
}

/** Only what is handed on counts, not what was over a cap. */
function spentOn(result: ToolResult, { runMs, resultBytes, artifactBytes }: Call): Spending {
  const hasFile = result.status === 'ok' && result.file !== undefined;
  return {
    runTimeMs: Math.ceil(runMs),
    resultBytes: result.output === undefined ? 0 : resultBytes,
    artifactBytes: hasFile ? artifactBytes : 0,
  };
}

async function succeed(
  call: ReadyCall,
  result: Succeeded,
  { parts, hold }: { parts: CallParts; hold: BudgetHold | undefined },
): Promise<InvocationOutcome> {
  const lifted = await liftArtifact(call, result.file, parts);
  const { caller } = call.request;
  // The run may have been ended while its file was put away, and then nobody would let go of the file.
  if (lifted.file === undefined || caller.run === undefined || (await hold?.renew()) !== false) {
    return toSuccess(call, result, lifted);
  }
  await parts.artifacts.drop({ caller: caller.name, run: caller.run.id });
  return toFailure(call, endedWithRun());
}
