import type { ToolFile } from '../../core/artifact.ts';
import { ownerOf } from '../../core/caller.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import type { Delivery, InvocationSuccess } from '../invocation.ts';
import { artifactTtlMs } from '../artifact-ttl.ts';
import type { ReadyCall } from '../call.ts';
import { chooseDelivery } from '../choose-delivery.ts';

/** Step 7: takes the file out of the result and into the store, owned by the caller. */
export async function liftArtifact(
  call: ReadyCall,
  file: ToolFile | undefined,
  parts: { artifacts: ArtifactStore; inlineBytes: number; artifactTtlMs: number },
): Promise<{ file?: NonNullable<InvocationSuccess['file']>; delivery: Delivery }> {
  if (file === undefined) return { delivery: call.delivery };
  const { caller } = call.request;
  const stored = await parts.artifacts.put(ownerOf(caller), file, artifactTtlMs(caller, parts.artifactTtlMs));
  const wanted = { delivery: call.delivery, inlineBytes: parts.inlineBytes };
  return { file: { content: file, stored }, delivery: chooseDelivery(stored.sizeBytes, wanted) };
}
