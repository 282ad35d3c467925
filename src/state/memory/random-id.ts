import { randomFillSync } from 'node:crypto';

const ID_BYTES = 24;
const POOL_IDS = 256;

const pool = Buffer.alloc(ID_BYTES * POOL_IDS);
let used = POOL_IDS;

/** 192 random bits as 32 characters, drawn many at a time: asking the system for each costs more than all else of it. */
export function randomId(): string {
  if (used === POOL_IDS) {
    randomFillSync(pool);
    used = 0;
  }
  const id = pool.toString('base64url', used * ID_BYTES, (used + 1) * ID_BYTES);
  used += 1;
  return id;
}
