import type { Catalog } from '../catalog/catalog.ts';
import { BrokerError } from '../core/broker-error.ts';
import { ERROR_CODES } from '../core/error-codes.ts';
import type { ExecuteContext, Lane, ToolResult } from '../core/tool.ts';
import type { ArtifactStore } from './artifact-store.ts';
import type { AuditOutcome, AuditSink } from './audit.ts';
import { createCallSignal } from './call-signal.ts';
import { beginCall, type Call, type ReadyCall } from './call.ts';
import type {
  InvocationFailure,
  InvocationOutcome,
  InvocationRequest,
  InvocationSuccess,
} from './invocation.ts';
import type { LaneGate } from './lane-gate.ts';
import { admitCall } from './steps/admit-call.ts';
import { checkResult } from './steps/check-result.ts';
import { decideCall } from './steps/decide-call.ts';
import { executeTool } from './steps/execute-tool.ts';
import { liftArtifact } from './steps/lift-artifact.ts';
import { recordCall } from './steps/record-call.ts';
import { resolveTool } from './steps/resolve-tool.ts';
import { validateArguments } from './steps/validate-arguments.ts';

export type Lanes = Readonly<Record<Lane, LaneGate>>;

export interface CallParts {
  readonly catalog: Catalog;
  readonly artifacts: ArtifactStore;
  readonly audit: AuditSink;
  readonly log: ExecuteContext['log'];
  /** Larger files are linked, not inlined. */
  readonly inlineBytes: number;
  /** How long a file is kept, where no run says otherwise. */
  readonly artifactTtlMs: number;
}

export interface ServiceState {
  readonly lanes: Lanes;
  readonly stopping: AbortSignal;
  readonly draining: boolean;
}

/** One call from request to answer, one step after the other, recorded on every way out. */
export async function runCall(
  request: InvocationRequest,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  const call = beginCall(request);
  let outcome: AuditOutcome = 'INTERNAL';
  try {
    const answer = await startCall(prepareCall(call, parts.catalog), parts, service);
    outcome = answer.ok ? 'OK' : answer.code;
    return answer;
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    outcome = error.code;
    throw new BrokerError(error.code, error.message, { ...error.facts, invocationId: call.invocationId });
  } finally {
    recordCall(call, outcome, { audit: parts.audit, policyRevision: parts.catalog.policyRevision });
  }
}

/** Resolve, decide, validate: nothing has been spent yet. */
function prepareCall(call: Call, catalog: Catalog): ReadyCall {
  const entry = resolveTool(call, catalog);
  decideCall(call, entry, catalog);
  call.entry = entry;
  call.delivery = call.request.negotiate(entry.spec.produces ?? []);
  const args = validateArguments(call, entry);
  return Object.assign(call, { entry, args });
}

/** Admit, execute, check, lift: the deadline runs. */
async function startCall(
  call: ReadyCall,
  parts: CallParts,
  service: ServiceState,
): Promise<InvocationOutcome> {
  if (service.draining) throw new BrokerError('OVERLOADED', 'The service is stopping.', { retryAfter: 5 });
  const timing = createCallSignal(call.entry.limits.timeoutMs, call.request.disconnected, service.stopping);
  try {
    const release = await admitCall(call, service.lanes, timing);
    const result = checkResult(call, await executeTool(call, { timing, release, log: parts.log }));
    return result.status === 'ok' ? await succeed(call, result, parts) : fail(call, result);
  } finally {
    timing.dispose();
  }
}

async function succeed(
  call: ReadyCall,
  result: ToolResult & { status: 'ok' },
  parts: CallParts,
): Promise<InvocationSuccess> {
  const lifted = await liftArtifact(call, result.file, parts);
  const { invocationId, entry } = call;
  return {
    ok: true,
    invocationId,
    ref: entry.ref,
    output: result.output,
    ...lifted,
    durationMs: durationOf(call),
  };
}

function fail(call: ReadyCall, result: ToolResult & { status: 'failed' }): InvocationFailure {
  const facts = ERROR_CODES[result.code];
  return {
    ok: false,
    invocationId: call.invocationId,
    ref: call.entry.ref,
    delivery: call.delivery,
    code: result.code,
    message: result.message,
    resolution: result.resolution ?? facts.resolution,
    retryable: facts.retryable,
    ...(result.output === undefined ? {} : { output: result.output }),
    durationMs: durationOf(call),
  };
}

/** Whole milliseconds from admission to answer. */
function durationOf(call: Call): number {
  return Math.round(call.queueMs + call.runMs);
}
