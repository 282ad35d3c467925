import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Identity } from '../catalog/identity.ts';
import type { Role } from '../core/caller.ts';

/** Who may use a route: `public` needs no credential (a wrong one is still refused), `runner` and `operator` need that role. */
export type Access = 'public' | 'caller' | Role;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard before any route runs; undefined on a public route without a credential. */
    identity: Identity | undefined;
  }
  interface FastifyContextConfig {
    /** Absent: `caller`. */
    access?: Access;
    /** Asked by the platform that runs the service. */
    probe?: true;
  }
}

export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The caller of a route that is not public. */
export function identityOf(request: { readonly identity: Identity | undefined }): Identity {
  if (request.identity === undefined) throw new Error('a route that needs a caller ran without one');
  return request.identity;
}
