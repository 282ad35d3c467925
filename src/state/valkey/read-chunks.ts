import { CHUNK_BYTES, CHUNKS_AT_ONCE } from './chunks.ts';
import type { Link } from './link.ts';

interface Piece {
  readonly chunk: number;
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/** Reads bytes `start` to `end`, both inclusive; undefined when any of them is gone. */
export function createChunkReader(
  link: Link,
  base: string,
): (id: string, range: { start: number; end: number }) => Promise<Uint8Array | undefined> {
  const readPiece = async (id: string, { chunk, from, to }: Piece): Promise<Buffer | undefined> => {
    const key = `${base}:file:${id}:${chunk}`;
    const bytes = await link.ask(async () => link.client.getrangeBuffer(key, from, to));
    return bytes.length === to - from + 1 ? bytes : undefined;
  };
  return async (id, range) => {
    const pieces = piecesOf(range);
    const read: Buffer[] = [];
    for (let from = 0; from < pieces.length; from += CHUNKS_AT_ONCE) {
      const some = pieces.slice(from, from + CHUNKS_AT_ONCE);
      const bytes = await Promise.all(some.map(async (piece) => readPiece(id, piece)));
      if (!bytes.every((part) => part !== undefined)) return undefined;
      read.push(...bytes);
    }
    return read.length === 1 ? read[0] : Buffer.concat(read);
  };
}

function piecesOf({ start, end }: { start: number; end: number }): Piece[] {
  const pieces: Piece[] = [];
  for (let at = start; at <= end;) {
    const chunk = Math.floor(at / CHUNK_BYTES);
    const to = Math.min(end, (chunk + 1) * CHUNK_BYTES - 1);
    pieces.push({ chunk, from: at % CHUNK_BYTES, to: to % CHUNK_BYTES });
    at = to + 1;
  }
  return pieces;
}
