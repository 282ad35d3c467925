import type { Caller } from '../core/caller.ts';
import { runTimeLeftMs } from './run-time-left.ts';

/** How long a file is kept for this caller, in milliseconds: as long as its run lives, else the policy's time. */
export function artifactTtlMs(caller: Caller, policyTtlMs: number): number {
  return caller.run === undefined ? policyTtlMs : Math.max(1, Math.ceil(runTimeLeftMs(caller.run)));
}
