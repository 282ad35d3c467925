import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import type { Identity } from '../../catalog/identity.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { hasRole } from '../../core/caller.ts';
import type { HttpDeps } from '../deps.ts';
import type { Access, HttpServer } from '../http-server.ts';
import { allowedMethods } from './allowed-methods.ts';
import { PRIVATE_ANSWER, type RequestCheck } from './check-request.ts';
import { nothingHere } from './nothing-here.ts';

const RETRY_AFTER_DRAIN_SECONDS = 5;

/**
 * All that is settled before a body is read, in this order: the request's form, Host, Origin, who is calling,
 * whether there is such a route, and whether the service is taking calls. It waits only for a run's token to be looked up.
 */
export function addRequestGuard(
  app: HttpServer,
  checkRequest: RequestCheck,
  settings: HttpDeps['settings'],
): void {
  let draining = false;
  app.addHook('preClose', (done) => {
    draining = true;
    done();
  });
  app.decorateRequest('identity', undefined);
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => {
    const access = accessOf(request);
    reply.header('x-content-type-options', 'nosniff');
    if (access !== 'public') reply.headers(PRIVATE_ANSWER);
    const settle = (identity: Identity | undefined): void => {
      request.identity = identity;
      requireRole(identity, access);
      if (request.is404) throw noRoute(app, request, reply);
      if (draining && access !== 'public') throw stopping();
    };
    const identity = checkRequest(request, access, isProbe(request, settings));
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

function noRoute(app: HttpServer, request: FastifyRequest, reply: FastifyReply): BrokerError {
  const methods = allowedMethods(app, request.raw.url ?? '');
  if (methods.length === 0) return nothingHere();
  reply.header('allow', methods.join(', '));
  return new BrokerError(
    'METHOD_NOT_ALLOWED',
    `${request.method} is not possible here; ${methods.join(', ')} is.`,
  );
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
