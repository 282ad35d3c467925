import type { ToolFile } from '../../core/artifact.ts';
import type { ArtifactStore } from '../artifact-store.ts';
import type { Delivery, InvocationSuccess } from '../invocation.ts';
import type { ReadyCall } from '../call.ts';

/** Step 7: takes the file out of the result and into the store, owned by the caller. */
export async function liftArtifact(
  call: ReadyCall,
  file: ToolFile | undefined,
  { artifacts, inlineBytes }: { artifacts: ArtifactStore; inlineBytes: number },
): Promise<{ file?: NonNullable<InvocationSuccess['file']>; delivery: Delivery }> {
  if (file === undefined) return { delivery: call.delivery };
  const stored = await artifacts.put(call.request.caller.name, file);
  const tooLargeInline = call.delivery === 'inline' && file.bytes.byteLength > inlineBytes;
  return { file: { content: file, stored }, delivery: tooLargeInline ? 'link' : call.delivery };
}
