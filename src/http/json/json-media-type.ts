import type { IncomingHttpHeaders } from 'node:http';

import { BrokerError } from '../../core/broker-error.ts';
import { quote } from '../../core/quote.ts';

const JSON_MEDIA_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/iu;

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body is announced as plain JSON in UTF-8. */
export function requireJsonMediaType(headers: IncomingHttpHeaders): void {
  requireIdentityEncoding(headers);
  const given = headers['content-type'];
  if (given === 'application/json' || (given !== undefined && JSON_MEDIA_TYPE.test(given))) return;
  throw unsupportedMediaType(given);
}

export function unsupportedMediaType(given: string | undefined): BrokerError {
  const received = given === undefined ? 'none was sent' : `received ${quote(given)}`;
  return new BrokerError('UNSUPPORTED_MEDIA_TYPE', `Content-Type must be application/json; ${received}.`, {
    expectedFormat: 'application/json, with charset=utf-8 or none',
  });
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a compressed body: a small one could become very large. */
export function requireIdentityEncoding(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new BrokerError(
    'UNSUPPORTED_MEDIA_TYPE',
    `Content-Encoding must be absent; received ${quote(encoding)}.`,
    { resolution: 'Send the body uncompressed.' },
  );
}
