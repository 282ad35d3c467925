import { quote } from '../../core/quote.ts';
import type { AuditOutcome, AuditSink } from '../audit.ts';
import type { Call } from '../call.ts';

/** Step 8, on every way out: one audit line. */
export function recordCall(
  call: Call,
  outcome: AuditOutcome,
  { audit, policyRevision }: { audit: AuditSink; policyRevision: string },
): void {
  const { entry, request } = call;
  audit({
    invocation_id: call.invocationId,
    request_id: request.requestId,
    caller: request.caller.name,
    ...(request.caller.run && { run: request.caller.run.id }),
    ref: entry?.ref ?? quote(request.ref),
    ...(entry === undefined ? {} : { origin: entry.spec.origin }),
    policy_revision: policyRevision,
    argument_bytes: call.argumentBytes,
    result_bytes: call.resultBytes,
    artifact_bytes: call.artifactBytes,
    outcome: request.client.left ? 'DISCONNECTED' : outcome,
    ...(call.replayed && { replayed: true }),
    queue_ms: round(call.queueMs),
    run_ms: round(call.runMs),
  });
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
