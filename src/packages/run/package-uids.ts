import { findUidsInUse } from './process-table.ts';

/** Inside the 65,536 that a container maps; away from real users, systemd's dynamic ones and nobody. */
const FIRST_UID = 50_000;
const BLOCK = 250;
const BLOCKS = 40;

/** Gives each run a user id that nothing else on the machine has. */
export interface UidPool {
  /** Undefined when all are in use. */
  readonly take: () => number | undefined;
  readonly giveBack: (uid: number) => void;
}

/** Claims a block in which no process runs, so that two services on one machine do not share user ids. */
export function createUidPool(random: () => number = Math.random): UidPool {
  const inUse = findUidsInUse();
  const start = Math.floor(random() * BLOCKS);
  const blocks = Array.from({ length: BLOCKS }, (_, index) => FIRST_UID + ((start + index) % BLOCKS) * BLOCK);
  const first = blocks.find((uid) => ![...inUse].some((used) => used >= uid && used < uid + BLOCK));
  const free = first === undefined ? [] : Array.from({ length: BLOCK }, (_, index) => first + index);
  return {
    take: () => free.shift(),
    giveBack: (uid) => {
      free.push(uid);
    },
  };
}
