import { createHash } from 'node:crypto';

/** A strong validator (RFC 9110 section 8.8.3) for these bytes. */
export function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 32)}"`;
}

/** Whether If-None-Match says that the client has it already. Compares weakly, as the RFC asks for this header. */
export function isFresh(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((part) => {
    const candidate = part.trim().replace(/^W\//u, '');
    return candidate === '*' || candidate === etag;
  });
}
