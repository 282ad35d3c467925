import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Pipes that nobody holds any more are read out at once; one that an escaped process holds is let go. */
const QUIET_MS = 200;
/** For an escaped process that goes on writing. */
const MAX_ROUNDS = 10;

/** Waits until the pipes are closed, or nothing comes any more. A busy event loop is no reason to lose output. */
export async function drainPipes(closed: Promise<void>, countBytes: () => number): Promise<void> {
  const whenClosed = isDone(closed);
  let seen = -1;
  for (let round = 0; seen !== countBytes() && round < MAX_ROUNDS; round += 1) {
    seen = countBytes();
    if (await Promise.race([whenClosed, sleep(QUIET_MS, false, { ref: false })])) return;
    // The timer may have come late and first: what is ready to be read is read now.
    await nextTurn();
    await nextTurn();
  }
}

async function isDone(closed: Promise<void>): Promise<true> {
  await closed;
  return true;
}
