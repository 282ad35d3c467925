import { createHash, randomBytes } from 'node:crypto';

import type { ArtifactStore, StoredArtifact } from '../../broker/artifact-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { formatOwner, type Owner } from '../../core/caller.ts';
import { mayRead } from '../may-read.ts';
import { dropIndex } from './artifact-scripts.ts';
import { createChunkReader } from './read-chunks.ts';
import { createChunkWriter } from './write-chunks.ts';
import type { Link } from './link.ts';
import { AFTERWARDS } from './patience.ts';

export interface ValkeyArtifactLimits {
  /** Raw bytes of all files of all brokers together; the oldest go first. */
  readonly maxBytes: number;
}

/** A file costs this much besides its bytes, so that a flood of empty files is bounded as well. */
const ENTRY_BYTES = 1_024;
const BASE = 'tb:{artifacts}';

/** Artifacts, the same for every broker on this store. Oldest out first, whatever was read lately. */
export function createValkeyArtifacts(link: Link, { maxBytes }: ValkeyArtifactLimits): ArtifactStore {
  const drop = link.script(dropIndex);
  const write = createChunkWriter(link, BASE);
  const read = createChunkReader(link, BASE);
  const find = async (owner: Owner, id: string): Promise<StoredArtifact | undefined> => {
    const [facts, ends] = await link.ask(async () =>
      link.client.hmget(`${BASE}:file:${id}`, 'facts', 'ends'),
    );
    if (!facts || !ends) return undefined;
    const found = { ...(JSON.parse(facts) as StoredArtifact), expiresAt: new Date(Number(ends)) };
    return mayRead(owner, found.owner) ? Object.freeze(found) : undefined;
  };

  return {
    put: async (owner, file, ttlMs) => {
      const { name, mediaType, bytes } = file;
      const sizeBytes = bytes.byteLength;
      if (sizeBytes + ENTRY_BYTES > maxBytes) throw larger(sizeBytes, maxBytes);
      const id = randomBytes(24).toString('base64url');
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const facts = { id, owner, name, mediaType, sizeBytes, sha256 };
      const index = owner.run === undefined ? '' : formatOwner(owner);
      const size = sizeBytes + ENTRY_BYTES;
      const endsMs = await write({ id, bytes, facts: JSON.stringify(facts), index, size, maxBytes, ttlMs });
      return Object.freeze({ ...facts, expiresAt: new Date(endsMs) });
    },
    find,
    read: async (owner, id, { start, end }) => {
      const found = await find(owner, id);
      return found && read(id, { start, end: Math.min(end, found.sizeBytes - 1) });
    },
    drop: async (run) => {
      await drop([BASE], [formatOwner(run)], AFTERWARDS);
    },
  };
}

function larger(bytes: number, limit: number): BrokerError {
  return new BrokerError(
    'PAYLOAD_TOO_LARGE',
    `The file is ${bytes} bytes; the artifact store holds ${limit}.`,
  );
}
