import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import type { Identity } from '../../catalog/identity.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { hasRole } from '../../core/caller.ts';
import type { HttpDeps } from '../deps.ts';
import type { Access, HttpServer } from '../http-server.ts';
import { requireNoExpectation } from '../expectation.ts';
import { allowedMethods } from './allowed-methods.ts';
import { createHostCheck } from './check-host.ts';
import { createOriginCheck } from './check-origin.ts';
import { nothingHere } from './nothing-here.ts';
import { readBearer } from './read-bearer.ts';

const RETRY_AFTER_DRAIN_SECONDS = 5;
const SINGLE_HEADERS = new Set(['host', 'authorization', 'idempotency-key']);

/**
 * All that is settled before a body is read, in this order: the request's form, Host, Origin, who is calling,
 * whether there is such a route, and whether the service is taking calls. It waits only for a run's token to be looked up.
 */
export function addRequestGuard(app: HttpServer, deps: HttpDeps): void {
  const checkHost = createHostCheck(deps.settings);
  const checkOrigin = createOriginCheck(deps.settings.allowedOrigins);
  const authenticate = createAuthentication(deps);
  let draining = false;
  app.addHook('preClose', (done) => {
    draining = true;
    done();
  });
  app.decorateRequest('identity', undefined);
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const access = accessOf(request);
    reply.header('x-content-type-options', 'nosniff');
    if (access !== 'public')
      reply.headers({ 'cache-control': 'private, no-cache', vary: 'Authorization, Accept' });
    requireNoExpectation(request.headers.expect);
    const host = readHost(request);
    if (!isProbe(request, deps.settings)) checkHost(host);
    if (request.headers.origin !== undefined) checkOrigin(request.headers.origin, host);
    const settle = (identity: Identity | undefined): void => {
      request.identity = identity;
      requireRole(identity, access);
      if (request.is404) throw noRoute(app, request, reply);
      if (draining && access !== 'public') throw stopping();
    };
    const identity = authenticate(request.headers.authorization, access);
    if (identity instanceof Promise) {
      proceedAfter(identity.then(settle), done);
    } else {
      settle(identity);
      done();
    }
  });
}

function proceedAfter(settled: Promise<void>, proceed: (error?: Error) => void): void {
  settled.then(() => proceed(), proceed);
}

/** A platform's probe names the host by an address of its own. Without keys a loopback name is what keeps browsers out. */
function isProbe(request: FastifyRequest, { keysConfigured }: HttpDeps['settings']): boolean {
  return keysConfigured && request.routeOptions.config.probe === true;
}

function accessOf(request: FastifyRequest): Access {
  return request.is404 ? 'public' : (request.routeOptions.config.access ?? 'caller');
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

function noRoute(app: HttpServer, request: FastifyRequest, reply: FastifyReply): BrokerError {
  const methods = allowedMethods(app, request.raw.url ?? '');
  if (methods.length === 0) return nothingHere();
  reply.header('allow', methods.join(', '));
  return new BrokerError(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not possible here; ${methods.join(', ')} is.`,
  );
}

function createAuthentication({ identify, settings }: HttpDeps) {
  return (authorization: string | undefined, access: Access): Identity | Promise<Identity> | undefined => {
    const bearer = readBearer(authorization);
    if (bearer === undefined && access === 'public' && settings.keysConfigured) return undefined;
    return identify(bearer);
  };
}

function requireRole(identity: Identity | undefined, access: Access): void {
  if (access === 'public' || access === 'caller') return;
  if (identity !== undefined && hasRole(identity.caller, access)) return;
  throw new BrokerError('FORBIDDEN', `This route is for ${access}s; this credential is not one.`, {
    resolution: `Use a key with the role ${access}.`,
  });
}

function stopping(): BrokerError {
  return new BrokerError('OVERLOADED', 'The service is stopping and takes no more requests.', {
    retryAfter: RETRY_AFTER_DRAIN_SECONDS,
  });
}
