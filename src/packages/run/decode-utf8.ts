import { isUtf8 } from 'node:buffer';

import type { KeptOutput } from './run-result.ts';

export interface DecodedText {
  readonly text: string;
  /** Bytes that are no UTF-8 were replaced with U+FFFD. */
  readonly isRepaired: boolean;
}

/** What was kept as text. A character that the keeping itself cut in two is dropped, not repaired. */
export function decodeOutput(output: KeptOutput): { head: DecodedText; tail: DecodedText } {
  if (!output.truncated) return { head: decode(output.head), tail: { text: '', isRepaired: false } };
  return { head: decode(dropCutEnd(output.head)), tail: decode(dropCutStart(output.tail)) };
}

function decode(bytes: Buffer): DecodedText {
  return { text: bytes.toString('utf8'), isRepaired: !isUtf8(bytes) };
}

/** A lead byte near the end whose character is longer than what is left. */
function dropCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** At most three continuation bytes without their lead. */
function dropCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start += 1;
  return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
