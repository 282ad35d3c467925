import { readFileSync, statSync } from 'node:fs';

import type { BootFault } from '../core/boot-error.ts';
import { checkPolicy, MAX_POLICY_BYTES, type PolicyReading, tooLarge } from './policy-parse.ts';

export interface PolicyFile {
  readonly path: string;
  /** BROKER_APPROVE: these entries stand in for `approve`. */
  readonly approve?: readonly string[];
}

/**
 * Reads and checks the operator's file. A file that is missing, too large or not UTF-8 is a fault like any other;
 * the policy that then comes back approves nothing of the file's.
 */
export function readPolicyFile({ path, approve }: PolicyFile): PolicyReading {
  const read = readText(path);
  const rest = { source: path, ...(approve && { approve }) };
  if (typeof read === 'string') return checkPolicy({ text: read, ...rest });
  return { policy: checkPolicy({ text: '', ...rest }).policy, faults: [read] };
}

function readText(path: string): string | BootFault {
  const source = path;
  try {
    const stats = statSync(path);
    if (!stats.isFile()) {
      return { source, message: 'The policy is not a regular file.', remedy: 'Set POLICY_FILE to a file.' };
    }
    if (stats.size > MAX_POLICY_BYTES) return tooLarge(source, stats.size);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError) {
      const message = 'The policy is not UTF-8.';
      return { source, line: 1, column: 1, message, remedy: 'Save it as UTF-8.' };
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    const remedy = 'Set POLICY_FILE to a file that this process can read.';
    return { source, message: `The policy cannot be read (${code}).`, remedy };
  }
}
