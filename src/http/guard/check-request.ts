import type { FastifyRequest } from 'fastify';

import type { Identity } from '../../catalog/identity.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { HttpDeps } from '../deps.ts';
import { requireNoExpectation } from '../expectation.ts';
import type { Access } from '../http-server.ts';
import { createHostCheck } from './check-host.ts';
import { createOriginCheck } from './check-origin.ts';
import { readBearer } from './read-bearer.ts';

/** Headers of what depends on who asks. */
export const PRIVATE_ANSWER = {
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept',
} as const;

const SINGLE_HEADERS = new Set(['host', 'authorization', 'idempotency-key']);

/** Who is calling; throws the refusal. A probe may name any host. */
export type RequestCheck = (
  request: FastifyRequest,
  access: Access,
  isProbe?: boolean,
) => Identity | Promise<Identity> | undefined;

/** What is asked of every request, one without a route too: its form, Host, Origin and credential, in this order. */
export function createRequestCheck(deps: HttpDeps): RequestCheck {
  const checkHost = createHostCheck(deps.settings);
  const checkOrigin = createOriginCheck(deps.settings.allowedOrigins);
  const authenticate = createAuthentication(deps);
  return (request, access, isProbe = false) => {
    requireNoExpectation(request.headers.expect);
    const host = readHost(request);
    if (!isProbe) checkHost(host);
    if (request.headers.origin !== undefined) checkOrigin(request.headers.origin, host);
    return authenticate(request.headers.authorization, access);
  };
}

/** Throws INVALID_INPUT for requests that HTTP/1.1 forbids but Node's parser lets through. */
function readHost(request: FastifyRequest): string {
  const { rawHeaders, url = '' } = request.raw;
  refuseRepeated(rawHeaders);
  if (!url.startsWith('/')) {
    throw new BrokerError('INVALID_INPUT', 'The request target must be a path that starts with a slash.');
  }
  const { host } = request.headers;
  if (host !== undefined && host !== '') return host;
  throw new BrokerError('INVALID_INPUT', 'The Host header is missing.', {
    resolution: 'Send a Host header, as HTTP/1.1 demands.',
  });
}

/** Node keeps the first and drops the others; which one a proxy before it went by is not known. */
function refuseRepeated(rawHeaders: readonly string[]): void {
  const seen: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (!SINGLE_HEADERS.has(name)) continue;
    if (!seen.includes(name)) seen.push(name);
    else throw new BrokerError('INVALID_INPUT', `The header ${name} stands twice; send it once.`);
  }
}

function createAuthentication({ identify, settings }: HttpDeps) {
  return (authorization: string | undefined, access: Access): Identity | Promise<Identity> | undefined => {
    const bearer = readBearer(authorization);
    if (bearer === undefined && access === 'public' && settings.keysConfigured) return undefined;
    return identify(bearer);
  };
}
