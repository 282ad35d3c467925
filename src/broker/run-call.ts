import { BrokerError } from '../core/broker-error.ts';
import type { AuditOutcome } from './audit.ts';
import { beginCall, type Call, type ReadyCall } from './call.ts';
import type { CallParts, ServiceState } from './call-parts.ts';
import type { QuotaView } from '../core/quota-view.ts';
import type { InvocationOutcome, InvocationRequest } from './invocation.ts';
import { viewRun } from './quota.ts';
import { startCall } from './start-call.ts';
import { claimKey, type KeyHold } from './steps/claim-key.ts';
import { decideCall } from './steps/decide-call.ts';
import { gatherFiles } from './steps/gather-files.ts';
import { recordCall } from './steps/record-call.ts';
import { resolveTool } from './steps/resolve-tool.ts';
import { validateArguments } from './steps/validate-arguments.ts';
import { restoreOutcome } from './stored-outcome.ts';
import { ownerOf } from '../core/caller.ts';

/** One call from request to answer, one step after the other, recorded on every way out. */
export async function runCall(
  request: InvocationRequest,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  const call = beginCall(request);
  let outcome: AuditOutcome = 'INTERNAL';
  try {
    const ready = await prepareCall(call, parts);
    const answer = await answerOnce(ready, parts, service);
    outcome = answer.ok ? 'OK' : answer.code;
    return answer;
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    outcome = error.code;
    throw await addCallFacts(error, call, parts);
  } finally {
    recordCall(call, outcome, { audit: parts.audit, policyRevision: parts.catalog.policyRevision });
  }
}

/** Resolve, decide, validate: nothing has been spent yet. */
async function prepareCall(call: Call, { catalog, artifacts }: CallParts): Promise<ReadyCall> {
  const entry = resolveTool(call, catalog);
  decideCall(call, entry, catalog);
  call.entry = entry;
  call.delivery = call.request.negotiate(entry.spec.produces ?? []);
  const args = validateArguments(call, entry);
  const files = call.request.files === undefined ? [] : await gatherFiles(call, entry, artifacts);
  return Object.assign(call, { entry, args, files });
}

/** With an idempotency key the tool runs for the first such call only. */
async function answerOnce(
  call: ReadyCall,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  const key = call.request.idempotencyKey;
  if (key === undefined) return startCall(call, parts, service);
  const ttlMs = keyTtlMs(call, parts);
  const claim = await claimKey(call, key, { store: parts.idempotency, ttlMs });
  if (claim.first) return answerFirst(call, claim.hold, { parts, service });
  const { artifacts } = parts;
  const { delivery } = call;
  const restored = await restoreOutcome(claim.answer, {
    artifacts,
    owner: ownerOf(call.request.caller),
    delivery,
  });
  return { ...restored, quotas: call.quotas, replayed: true };
}

/** A call that did not start is forgotten. One that broke off after its start is not: its outcome is unknown. */
async function answerFirst(
  call: ReadyCall,
  hold: KeyHold,
  { parts, service }: { parts: CallParts; service: ServiceState },
): Promise<InvocationOutcome> {
  try {
    const outcome = await startCall(call, parts, { ...service, keyHold: hold });
    await hold.finish(outcome);
    return outcome;
  } catch (error) {
    if (!call.started) await hold.finish(undefined);
    throw error;
  }
}

/** Kept for the run, else for the policy's time. */
function keyTtlMs(call: Call, parts: CallParts): number {
  const { run } = call.request.caller;
  return run === undefined ? parts.idempotencyTtlMs : Math.max(1, run.expiresAt.getTime() - Date.now());
}

async function addCallFacts(error: BrokerError, call: Call, parts: CallParts): Promise<BrokerError> {
  const quotas = await quotasAfter(call, parts);
  return new BrokerError(error.code, error.message, {
    ...error.facts,
    invocationId: call.invocationId,
    ...(quotas.length > 0 && { quotas }),
  });
}

/** A refusal says how the run stands as well; not when the store is lost. */
async function quotasAfter(call: Call, { budgets }: CallParts): Promise<readonly QuotaView[]> {
  const { run } = call.request.caller;
  if (run === undefined || call.quotas.some((quota) => quota.name === 'calls')) return call.quotas;
  try {
    const usage = await budgets.usage(run.id);
    return usage === undefined ? call.quotas : [...call.quotas, viewRun(run, usage)];
  } catch {
    return call.quotas;
  }
}
