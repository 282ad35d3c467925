import type { ToolFile } from '../../core/artifact.ts';
import type { ToolResult } from '../../core/tool.ts';
import type { ReadyCall } from '../call.ts';

/** Bytes of `output` as JSON: all of it goes into a model's context. */
const MAX_OUTPUT_BYTES = 1_048_576;

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/u;
const UNSAFE_NAME = /[/\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const MAX_NAME_BYTES = 255;

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

function findFileFault(file: ToolFile): string | undefined {
  if (file.name === '' || file.name === '.' || file.name === '..') return 'its name is empty or a dot';
  if (UNSAFE_NAME.test(file.name)) return 'its name has a separator or a control character';
  if (Buffer.byteLength(file.name) > MAX_NAME_BYTES) return `its name is longer than ${MAX_NAME_BYTES} bytes`;
  return MEDIA_TYPE.test(file.mediaType) ? undefined : 'its media type is malformed';
}
