import type { Isolation } from './isolation.ts';
import { countThreads } from './process-table.ts';

/** Processes and threads of one run. Node alone has about a dozen threads. */
const OWN = 256;
/** Room above what the service's user already runs. */
const SHARED = 1_024;

/**
 * The value for RLIMIT_NPROC. The kernel counts per user (and, since 5.14, per user namespace), so where a run
 * shares the service's user id, it can only be kept from growing without end. Root is not counted at all.
 */
export function maxProcesses(isolation: Isolation): number | undefined {
  if (isolation.ownUid || isolation.ownUserNamespace) return OWN;
  const uid = process.getuid?.();
  return uid === undefined ? undefined : countThreads(uid) + SHARED;
}
