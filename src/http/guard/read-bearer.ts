import { BrokerError } from '../../core/broker-error.ts';

/** RFC 6750 section 2.1: the scheme in any case, then a token68. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/iu;

/**
 * The credential of an Authorization header; undefined when there is no header. Throws UNAUTHENTICATED for any other
 * form, without showing what was sent.
 */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const token = BEARER.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new BrokerError('UNAUTHENTICATED', 'The Authorization header is not `Bearer <key>`.', {
    expectedFormat: 'Authorization: Bearer <key>',
  });
}
