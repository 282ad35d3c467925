import { BrokerError } from '../core/broker-error.ts';
import type { QuotaView } from '../core/quota-view.ts';
import { answerOnce } from './answer-once.ts';
import type { AuditOutcome } from './audit.ts';
import { beginCall, type Call, type ReadyCall } from './call.ts';
import type { CallParts, ServiceState } from './call-parts.ts';
import type { InvocationOutcome, InvocationRequest } from './invocation.ts';
import { viewRun } from './quota.ts';
import { decideCall } from './steps/decide-call.ts';
import { gatherFiles } from './steps/gather-files.ts';
import { recordCall } from './steps/record-call.ts';
import { resolveTool } from './steps/resolve-tool.ts';
import { validateArguments } from './steps/validate-arguments.ts';

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
    return call.replayed ? { ...answer, quotas: await quotasAfter(call, parts), replayed: true } : answer;
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    const refusal = call.started ? lostAfterStart(error, parts) : error;
    outcome = refusal.code;
    throw await addCallFacts(refusal, call, parts);
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

/** A refusal would invite a client to send the call again, and it may have had its effect. */
function lostAfterStart(error: BrokerError, { log }: CallParts): BrokerError {
  log('a result was lost after its tool had run', { code: error.code, reason: error.message });
  return new BrokerError('INTERNAL', 'The tool ran, but its result could not be counted or kept.', {
    resolution: 'Find out whether the call had its effect before you repeat it.',
  });
}

async function addCallFacts(error: BrokerError, call: Call, parts: CallParts): Promise<BrokerError> {
  const quotas = await quotasAfter(call, parts);
  return new BrokerError(error.code, error.message, {
    ...error.facts,
    invocationId: call.invocationId,
    ...(quotas.length > 0 && { quotas }),
  });
}

/** An answer that met no quota says how the run stands as well; not when the store is lost. */
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
