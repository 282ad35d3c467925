import type { JsonObject, JsonValue } from '../../core/json.ts';
import { readJsonOutput } from './read-json-output.ts';
import type { KeptOutput, RunResult } from './run-result.ts';
import { shapeOutput } from './shape-output.ts';

/** The one JSON object or array on stdout, if it is exactly that and was kept whole. */
export function readData(stdout: KeptOutput): JsonObject | readonly JsonValue[] | undefined {
  return stdout.truncated ? undefined : readJsonOutput(stdout.head.toString('utf8'));
}

/** `output` of a command (design section 7); stderr only belongs to a failure. */
export function commandOutput(result: RunResult, failed: boolean): JsonObject {
  const data = readData(result.stdout);
  const stdout = shapeOutput(result.stdout);
  const stderr = shapeOutput(result.stderr);
  const repaired = (data === undefined && stdout.utf8Repaired) || (failed && stderr.utf8Repaired);
  const truncated = (data === undefined && stdout.truncated) || (failed && stderr.truncated);
  return {
    ...(result.exitCode === undefined ? {} : { exit_code: result.exitCode }),
    ...(result.signal === undefined ? {} : { signal: result.signal }),
    ...(data === undefined ? { stdout: stdout.text } : { data }),
    ...(failed ? { stderr: stderr.text } : {}),
    ...(truncated ? { truncated } : {}),
    ...(repaired ? { utf8_repaired: repaired } : {}),
  };
}
