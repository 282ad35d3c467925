import { isUtf8 } from 'node:buffer';

import contentDisposition from 'content-disposition';

/**
 * How a file leaves: always as a download, never rendered, never sniffed. The name is given twice, in ASCII for
 * old clients and in UTF-8 (RFC 6266). Text that is UTF-8 is said to be; `bytes` is the whole file, where it is at hand.
 */
export function fileHeaders(
  name: string,
  mediaType: string,
  bytes: Uint8Array | undefined,
): Readonly<Record<string, string>> {
  const isUtf8Text = isText(mediaType) && bytes !== undefined && isUtf8(bytes);
  return {
    'content-type': isUtf8Text ? `${mediaType}; charset=utf-8` : mediaType,
    'content-disposition': contentDisposition(name, { type: 'attachment', fallback: asciiName(name) }),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

/** Whether a reader of this type has to know the character set. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/');
}

function asciiName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/gu, '_');
}
