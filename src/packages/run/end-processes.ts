import { setTimeout as sleep } from 'node:timers/promises';

/** As long as a fork bomb may hold out against being killed. */
const GIVE_UP_MS = 5_000;

/** False when there is none to reach. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // ESRCH: it has ended. EPERM: some member of the group changed its user; the scans that follow look again.
    return false;
  }
}

/**
 * Kills what `find` finds, again and again until it finds nothing: a process that is being killed may just have
 * made another. Answers how many are left, which is 0 unless something cannot be killed.
 */
export async function endProcesses(find: () => number[]): Promise<number> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let left = find();
  for (let round = 0; left.length > 0 && performance.now() < giveUpAt; round += 1) {
    for (const pid of left) sendSignal(pid, 'SIGKILL');
    await sleep(Math.min(round, 20));
    left = find();
  }
  return left.length;
}
