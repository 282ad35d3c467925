import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { ArtifactStore, StoredArtifact } from '../../broker/artifact-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { Owner } from '../../core/caller.ts';
import { mayRead } from '../may-read.ts';
import { randomId } from './random-id.ts';
import { steadyNow } from '../../core/steady-clock.ts';

export interface MemoryArtifactLimits {
  /** Raw bytes of all files together; the oldest go first. */
  readonly maxBytes: number;
  /** How often what has expired is let go. Default: a minute. */
  readonly purgeEveryMs?: number;
}

export interface MemoryArtifacts extends ArtifactStore {
  /** What all files cost now, those included that have expired and are still there. */
  readonly heldBytes: () => number;
  /** Stops letting go of what has expired. */
  readonly close: () => void;
}

interface Kept {
  readonly facts: StoredArtifact;
  readonly bytes: Uint8Array;
}

/** An entry costs this much besides its bytes, so that a flood of empty files is bounded as well. */
const ENTRY_BYTES = 1_024;

const PURGE_EVERY_MS = 60_000;

/** Artifacts in this process; gone when it ends. Oldest out first, whatever was read lately. */
export function createMemoryArtifacts(limits: MemoryArtifactLimits): MemoryArtifacts {
  const kept = new LRUCache<string, Kept>({
    maxSize: limits.maxBytes,
    sizeCalculation: ({ bytes }) => bytes.byteLength + ENTRY_BYTES,
    updateAgeOnGet: false,
  });
  const purge = setInterval(() => kept.purgeStale(), limits.purgeEveryMs ?? PURGE_EVERY_MS).unref();
  /** `peek` leaves the order of arrival alone. */
  const get = (owner: Owner, id: string): Kept | undefined => {
    const found = kept.peek(id);
    return found !== undefined && mayRead(owner, found.facts.owner) ? found : undefined;
  };

  return {
    put: async (owner, file, ttlMs) => {
      const sizeBytes = file.bytes.byteLength;
      if (sizeBytes + ENTRY_BYTES > limits.maxBytes) throw larger(sizeBytes, limits.maxBytes);
      const facts: StoredArtifact = Object.freeze({
        id: randomId(),
        owner,
        name: file.name,
        mediaType: file.mediaType,
        sizeBytes,
        sha256: hash('sha256', file.bytes),
        expiresAt: new Date(steadyNow() + ttlMs),
      });
      // What has expired goes before anything that has not.
      if (kept.calculatedSize + sizeBytes + ENTRY_BYTES > limits.maxBytes) kept.purgeStale();
      kept.set(facts.id, { facts, bytes: file.bytes }, { ttl: ttlMs });
      return facts;
    },
    find: async (owner, id) => get(owner, id)?.facts,
    read: async (owner, id, { start, end }) => get(owner, id)?.bytes.subarray(start, end + 1),
    drop: async ({ caller, run }) => {
      const owned = [...kept.entries()].filter(
        ([, { facts }]) => facts.owner.caller === caller && facts.owner.run === run,
      );
      for (const [id] of owned) kept.delete(id);
    },
    heldBytes: () => kept.calculatedSize,
    close: () => clearInterval(purge),
  };
}

function larger(bytes: number, limit: number): BrokerError {
  return new BrokerError(
    'PAYLOAD_TOO_LARGE',
    `The file is ${bytes} bytes; the artifact store holds ${limit}.`,
  );
}
