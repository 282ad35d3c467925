import contentDisposition from 'content-disposition';

/**
 * How a file leaves: always as a download, never rendered, never sniffed. The name is given twice, in ASCII for
 * old clients and in UTF-8 (RFC 6266).
 */
export function fileHeaders(name: string, mediaType: string): Readonly<Record<string, string>> {
  return {
    'content-type': mediaType,
    'content-disposition': contentDisposition(name, { type: 'attachment', fallback: asciiName(name) }),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
}

function asciiName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/gu, '_');
}
