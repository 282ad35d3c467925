import type { Run } from '../core/run.ts';
import { steadyNow } from '../core/steady-clock.ts';

/** Milliseconds until the run expires; 0 when it has. */
export function runTimeLeftMs({ expiresAt }: Run): number {
  return Math.max(0, expiresAt.getTime() - steadyNow());
}
