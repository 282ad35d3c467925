import { createServer, type Server } from 'node:net';

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
  /** Lets another service have them. */
  readonly close: () => void;
}

/**
 * Claims a block of user ids that no other service has and no process uses: what runs under one of them is killed
 * at the end of its run, whoever started it.
 */
export async function createUidPool(random: () => number = Math.random): Promise<UidPool> {
  const inUse = [...findUidsInUse()];
  const start = Math.floor(random() * BLOCKS);
  for (let index = 0; index < BLOCKS; index += 1) {
    const first = FIRST_UID + ((start + index) % BLOCKS) * BLOCK;
    if (inUse.some((uid) => uid >= first && uid < first + BLOCK)) continue;
    const claim = await claimBlock(first);
    if (claim !== undefined) return createPool(first, claim);
  }
  throw new Error('all user ids for packages are in use by other services');
}

function createPool(first: number, claim: Server): UidPool {
  const free = Array.from({ length: BLOCK }, (_, index) => first + index);
  return {
    take: () => free.shift(),
    giveBack: (uid) => {
      free.push(uid);
    },
    close: () => {
      claim.close();
    },
  };
}

/** An abstract socket (unix(7)): its name is one owner's alone, and free again when the owner dies in any way. */
async function claimBlock(first: number): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(`\0tool-broker-uids-${first}`, () => {
      server.unref();
      resolve(server);
    });
  });
}
