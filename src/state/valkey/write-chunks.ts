import { BrokerError } from '../../core/broker-error.ts';
import { putChunk, putFirst, putLast } from './artifact-scripts.ts';
import { CHUNK_BYTES, CHUNKS_AT_ONCE } from './chunks.ts';
import type { Link } from './link.ts';
import { AFTERWARDS } from './patience.ts';

export interface NewFile {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** JSON. */
  readonly facts: string;
  /** What it can be dropped by; '' is nothing. */
  readonly index: string;
  /** With all that belongs to it. */
  readonly size: number;
  readonly maxBytes: number;
  readonly ttlMs: number;
}

/** A file that is not complete by then, since its broker died, is let go. */
const PENDING_MS = 60_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Writes a file, in one step where it is small. Answers with the time at which it ends. Nobody sees it before it is
 * complete. Each step may be sent twice.
 */
export function createChunkWriter(link: Link, base: string): (file: NewFile) => Promise<number> {
  const first = link.script(putFirst);
  const next = link.script(putChunk);
  const last = link.script(putLast);
  return async ({ id, bytes, ...file }) => {
    const chunks = cut(bytes);
    const room = [file.size, file.maxBytes, file.ttlMs, PENDING_MS, chunks.length];
    const values = [id, ...room, file.facts, file.index, chunks[0] ?? Buffer.alloc(0)];
    const endsMs = Number(await first([base], values, AFTERWARDS));
    if (chunks.length === 1) return endsMs;
    for (let from = 1; from < chunks.length; from += CHUNKS_AT_ONCE) {
      const some = chunks.slice(from, from + CHUNKS_AT_ONCE);
      const write = async (chunk: Buffer, at: number): Promise<unknown> =>
        next([base], [id, from + at, PENDING_MS, chunk], AFTERWARDS);
      await Promise.all(some.map(write));
    }
    const completedMs = Number(await last([base], [id, file.ttlMs], AFTERWARDS));
    if (completedMs === 0) throw noRoom();
    return completedMs;
  };
}

function cut(bytes: Uint8Array): Buffer[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.max(1, Math.ceil(whole.length / CHUNK_BYTES));
  return Array.from({ length: count }, (_unused, at) =>
    whole.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
  );
}

function noRoom(): BrokerError {
  return new BrokerError('OVERLOADED', 'The artifact store ran out of room while the file was written.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
