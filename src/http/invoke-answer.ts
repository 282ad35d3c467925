import type { InvocationOutcome, InvocationSuccess } from '../broker/invocation.ts';
import { toArtifact } from '../core/artifact.ts';
import { errorBody } from './error-body.ts';

/** What a tool did, as JSON: `output` for the model, the file beside it. */
export function toInvokeAnswer(outcome: InvocationOutcome, requestId: string): object {
  if (outcome.ok) return toSuccess(outcome);
  const { invocationId, ref, details } = outcome;
  const facts = { invocationId, ref, ...(details === undefined ? {} : { details }) };
  const { code, message, resolution, retryable, output } = outcome;
  return errorBody(
    { code, message, resolution, retryable, facts, ...(output === undefined ? {} : { output }) },
    requestId,
  );
}

function toSuccess({ invocationId, ref, output, delivery, file, durationMs }: InvocationSuccess): object {
  return {
    ok: true,
    invocation_id: invocationId,
    ref,
    output,
    ...(file === undefined
      ? {}
      : { artifact: toArtifact(file.content, delivery === 'inline'), download: toDownload(file.stored) }),
    duration_ms: durationMs,
  };
}

function toDownload(stored: NonNullable<InvocationSuccess['file']>['stored']): object {
  return {
    artifact_id: stored.id,
    url: `/v1/artifacts/${encodeURIComponent(stored.id)}`,
    sha256: stored.sha256,
    expires_at: stored.expiresAt.toISOString(),
  };
}
