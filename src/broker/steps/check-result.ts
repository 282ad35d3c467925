import type { ToolFile } from '../../core/artifact.ts';
import { findFileNameFault, isMediaType } from '../../core/file-name.ts';
import type { ToolResult } from '../../core/tool.ts';
import type { ReadyCall } from '../call.ts';

/** Bytes of `output` as JSON: all of it goes into a model's context. */
const MAX_OUTPUT_BYTES = 1_048_576;

/**
 * Step 6: holds a result against the caps and the envelope's rules. Over a cap it becomes RESULT_TOO_LARGE; a file
 * that no envelope can carry is the supplier's fault and throws.
 */
export function checkResult(call: ReadyCall, result: ToolResult): ToolResult {
  call.resultBytes = result.output === undefined ? 0 : Buffer.byteLength(JSON.stringify(result.output));
  if (call.resultBytes > MAX_OUTPUT_BYTES)
    return tooLarge(`output is ${call.resultBytes} bytes`, MAX_OUTPUT_BYTES);
  if (result.status === 'failed' || result.file === undefined) return result;
  const fault = findFileFault(result.file);
  if (fault !== undefined)
    throw new Error(`${call.entry.ref} gave a file that cannot be handed on: ${fault}`);
  call.artifactBytes = result.file.bytes.byteLength;
  const limit = call.entry.limits.maxArtifactBytes;
  return call.artifactBytes > limit ? tooLarge(`file is ${call.artifactBytes} bytes`, limit) : result;
}

function tooLarge(what: string, limit: number): ToolResult {
  return {
    status: 'failed',
    code: 'RESULT_TOO_LARGE',
    message: `The tool's ${what}; at most ${limit} are handed on.`,
  };
}

function findFileFault({ name, mediaType }: ToolFile): string | undefined {
  const fault = findFileNameFault(name);
  if (fault !== undefined) return `its name ${fault}`;
  return isMediaType(mediaType) ? undefined : 'its media type is malformed';
}
