import { randomUUID } from 'node:crypto';

import type {
  FastifyError,
  FastifyHttpOptions,
  FastifyReply,
  FastifyRequest,
  RawServerDefault,
} from 'fastify';

import { answerClientError } from './client-error.ts';
import { DEFAULT_TIMEOUTS, type HttpSettings } from './deps.ts';
import type { ErrorHandler } from './error-handler.ts';

/** A ref of any legal form is shorter. */
const MAX_PARAM_LENGTH = 256;
const KEEP_ALIVE_MS = 72_000;

/** Fastify with everything that it answers by itself turned over to us. Requests are not logged: calls are audited. */
export function serverOptions(
  { maxBodyBytes, timeouts = DEFAULT_TIMEOUTS }: HttpSettings,
  handleError: ErrorHandler,
): FastifyHttpOptions<RawServerDefault> {
  return {
    logger: false,
    bodyLimit: maxBodyBytes,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: {
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      handleError(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
  };
}
