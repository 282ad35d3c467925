import { isUtf8 } from 'node:buffer';

const BOM = 0xfeff;

export type DecodedText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** UTF-8 or nothing. Exactly one byte order mark at the start is taken off. */
export function decodeText(bytes: Buffer): DecodedText {
  if (!isUtf8(bytes)) return { ok: false, message: describeInvalid(bytes) };
  const text = bytes.toString('utf8');
  return { ok: true, text: text.charCodeAt(0) === BOM ? text.slice(1) : text };
}

function describeInvalid(bytes: Buffer): string {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const offset = firstInvalidByte(bytes);
  const value = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const guess = wide ? ' It looks like UTF-16.' : '';
  return `is not UTF-8 at byte ${offset} (0x${value}).${guess} Save it as UTF-8.`;
}

/** Decoding replaces what is invalid, so the first byte that does not come back is the first invalid one. */
function firstInvalidByte(bytes: Buffer): number {
  const repaired = Buffer.from(bytes.toString('utf8'), 'utf8');
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === repaired[offset]) offset += 1;
  return Math.min(offset, bytes.length - 1);
}
