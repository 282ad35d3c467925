import { readFileSync } from 'node:fs';

import { findAccessFaults } from '../catalog/policy-access.ts';
import { checkPolicy, type PolicyReading } from '../catalog/policy-parse.ts';
import type { Config } from '../config.ts';
import type { BootFault } from '../core/boot-error.ts';

/** The policy file as the configuration names it. A file that cannot be read approves nothing and is a fault. */
export function readPolicy(config: Config): PolicyReading {
  const input = { source: config.policyFile, ...(config.approve && { approve: config.approve }) };
  const text = readText(config.policyFile);
  if (typeof text !== 'string') return { ...checkPolicy({ ...input, text: '' }), faults: [text] };
  const { policy, faults } = checkPolicy({ ...input, text });
  return { policy, faults: [...faults, ...findAccessFaults(policy, config)] };
}

function readText(path: string): string | BootFault {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it is not UTF-8';
    return {
      source: path,
      message: `The policy cannot be read (${why}), so nothing is approved.`,
      remedy: 'Set POLICY_FILE to a readable policy file, or leave it out for the shipped one.',
    };
  }
}
