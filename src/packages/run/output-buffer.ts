import type { KeptOutput } from './run-result.ts';

/** Keeps the first two thirds and the last third of what passes, and counts the rest. */
export interface OutputBuffer {
  readonly push: (chunk: Buffer) => void;
  readonly totalBytes: () => number;
  readonly read: () => KeptOutput;
}

/** Memory is bounded by `keepBytes`, whatever passes. */
export function createOutputBuffer(keepBytes: number): OutputBuffer {
  const headBytes = Math.ceil((keepBytes * 2) / 3);
  const head: Buffer[] = [];
  const ring = createRing(keepBytes - headBytes);
  let headSize = 0;
  let total = 0;
  return {
    push: (chunk) => {
      total += chunk.length;
      const room = headBytes - headSize;
      const taken = Math.min(room, chunk.length);
      // A copy: a small piece must not hold on to the pooled 64 KiB that it was read into.
      if (taken > 0) head.push(Buffer.from(chunk.subarray(0, taken)));
      headSize += taken;
      if (taken < chunk.length) ring.push(chunk.subarray(taken));
    },
    totalBytes: () => total,
    read: () => keep(Buffer.concat(head), ring.read(), total),
  };
}

function keep(head: Buffer, tail: Buffer, totalBytes: number): KeptOutput {
  const truncated = totalBytes > head.length + tail.length;
  return truncated
    ? { head, tail, totalBytes, truncated }
    : { head: Buffer.concat([head, tail]), tail: Buffer.alloc(0), totalBytes, truncated };
}

interface Ring {
  readonly push: (chunk: Buffer) => void;
  readonly read: () => Buffer;
}

/** The last `size` bytes; its memory is taken when the first byte comes. */
function createRing(size: number): Ring {
  let bytes: Buffer | undefined;
  let next = 0;
  let filled = 0;
  return {
    push: (chunk) => {
      bytes ??= Buffer.alloc(size);
      const last = chunk.length > size ? chunk.subarray(chunk.length - size) : chunk;
      const copied = last.copy(bytes, next);
      last.copy(bytes, 0, copied);
      next = size === 0 ? 0 : (next + last.length) % size;
      filled = Math.min(size, filled + last.length);
    },
    read: () => {
      if (bytes === undefined) return Buffer.alloc(0);
      return filled < size
        ? Buffer.from(bytes.subarray(0, filled))
        : Buffer.concat([bytes.subarray(next), bytes.subarray(0, next)]);
    },
  };
}
