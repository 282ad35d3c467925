import { ownerOf } from '../core/caller.ts';
import type { ReadyCall } from './call.ts';
import type { CallParts, ServiceState } from './call-parts.ts';
import { startHeartbeat } from './heartbeat.ts';
import type { InvocationOutcome } from './invocation.ts';
import { runTimeLeftMs } from './run-time-left.ts';
import { startCall } from './start-call.ts';
import { claimKey, mayRepeat, type KeyHold } from './steps/claim-key.ts';
import { restoreOutcome } from './stored-outcome.ts';

/** With an idempotency key the tool runs for the first such call only; the others get its answer. */
export async function answerOnce(
  call: ReadyCall,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  const key = call.request.idempotencyKey;
  if (key === undefined) return startCall(call, parts, service);
  const claim = await claimKey(call, key, { store: parts.idempotency, ttlMs: keyTtlMs(call, parts) });
  if (claim.first) return answerFirst(call, claim.hold, { parts, service });
  call.replayed = true;
  const { artifacts, inlineBytes } = parts;
  const { delivery } = call;
  const owner = ownerOf(call.request.caller);
  return restoreOutcome(claim.answer, { artifacts, inlineBytes, owner, delivery });
}

/**
 * The key is held from here on, also while the call waits in the queue. A call that did not start is forgotten, and
 * so is one without effects that broke off. One that may have had an effect is not: its outcome is unknown.
 */
async function answerFirst(
  call: ReadyCall,
  hold: KeyHold,
  { parts, service }: { parts: CallParts; service: ServiceState },
): Promise<InvocationOutcome> {
  const heartbeat = startHeartbeat(async () => {
    await hold.renew();
    return true;
  });
  try {
    const outcome = await startCall(call, parts, service);
    await finishKey(hold, outcome, parts);
    return outcome;
  } catch (error) {
    if (!call.started || mayRepeat(call.entry)) await finishKey(hold, undefined, parts);
    throw error;
  } finally {
    heartbeat.stop();
  }
}

/** Whoever is here has its answer, or its refusal; a lost store must not take that away. */
async function finishKey(
  hold: KeyHold,
  outcome: InvocationOutcome | undefined,
  { log }: CallParts,
): Promise<void> {
  try {
    await hold.finish(outcome);
  } catch {
    log('an answer could not be kept under its idempotency key');
  }
}

/** Kept for the run, else for the policy's time. */
function keyTtlMs(call: ReadyCall, parts: CallParts): number {
  const { run } = call.request.caller;
  return run === undefined ? parts.idempotencyTtlMs : Math.max(1, Math.ceil(runTimeLeftMs(run)));
}
