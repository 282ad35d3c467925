import { isUtf8 } from 'node:buffer';

export type Decoded =
  | { readonly ok: true; readonly text: string }
  /** 0-based: where the first sequence starts that is no UTF-8. */
  | { readonly ok: false; readonly byteOffset: number };

/** UTF-8 bytes as text, a byte order mark kept. Nothing is replaced: bytes that are no UTF-8 are a fault. */
export function decodeUtf8(bytes: Buffer): Decoded {
  const text = bytes.toString('utf8');
  return isUtf8(bytes) ? { ok: true, text } : { ok: false, byteOffset: findReplaced(bytes, text) };
}

/** The first U+FFFD of the lenient text that does not stand in the bytes as itself. */
function findReplaced(bytes: Buffer, text: string): number {
  let byteOffset = 0;
  let from = 0;
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', from)) {
    byteOffset += Buffer.byteLength(text.slice(from, at));
    const isWritten =
      bytes[byteOffset] === 0xef && bytes[byteOffset + 1] === 0xbf && bytes[byteOffset + 2] === 0xbd;
    if (!isWritten) return byteOffset;
    byteOffset += 3;
    from = at + 1;
  }
  return bytes.length;
}
