import { BrokerError } from '../core/broker-error.ts';
import type { Owner } from '../core/caller.ts';
import type { JsonObject } from '../core/json.ts';
import type { ArtifactStore, StoredArtifact } from './artifact-store.ts';
import { chooseDelivery } from './choose-delivery.ts';
import type { Delivery, InvocationOutcome } from './invocation.ts';

/** An outcome as JSON, its file as the facts by which the artifact store finds it again. */
export function storeOutcome(outcome: InvocationOutcome): JsonObject {
  if (!outcome.ok) return JSON.parse(JSON.stringify(outcome)) as JsonObject;
  const { file, ...rest } = outcome;
  return JSON.parse(JSON.stringify({ ...rest, ...(file && { stored: file.stored }) })) as JsonObject;
}

/** The outcome again, delivered as this request asks. Throws CONFLICT when its file is no longer kept. */
export async function restoreOutcome(
  answer: JsonObject,
  {
    artifacts,
    owner,
    ...wanted
  }: { artifacts: ArtifactStore; owner: Owner; delivery: Delivery; inlineBytes: number },
): Promise<InvocationOutcome> {
  const { stored, ...rest } = answer;
  const outcome = { ...rest, delivery: wanted.delivery } as unknown as InvocationOutcome;
  if (!outcome.ok || stored === undefined) return outcome;
  const facts = reviveArtifact(stored as JsonObject);
  const bytes =
    facts.sizeBytes === 0
      ? new Uint8Array(0)
      : await artifacts.read(owner, facts.id, { start: 0, end: facts.sizeBytes - 1 });
  if (bytes === undefined) throw fileGone();
  return {
    ...outcome,
    delivery: chooseDelivery(facts.sizeBytes, wanted),
    file: { content: { name: facts.name, mediaType: facts.mediaType, bytes }, stored: facts },
  };
}

function reviveArtifact(stored: JsonObject): StoredArtifact {
  return { ...(stored as unknown as StoredArtifact), expiresAt: new Date(stored['expiresAt'] as string) };
}

function fileGone(): BrokerError {
  return new BrokerError(
    'CONFLICT',
    'The call with this Idempotency-Key ran, and its file is no longer kept.',
    {
      resolution: 'Use a new Idempotency-Key if the call may run once more.',
    },
  );
}
