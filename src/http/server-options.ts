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
import { PRIVATE_ANSWER, type RequestCheck } from './guard/check-request.ts';

/** A ref of any legal form is shorter. */
const MAX_PARAM_LENGTH = 256;
const KEEP_ALIVE_MS = 72_000;

/** Fastify with everything that it answers by itself turned over to us. Requests are not logged: calls are audited. */
export function serverOptions(
  { maxBodyBytes, timeouts = DEFAULT_TIMEOUTS }: HttpSettings,
  handleError: ErrorHandler,
  checkRequest: RequestCheck,
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
      void refuseChecked(checkRequest, { request, reply }, (refusal) =>
        handleError(refusal ?? error, request, reply),
      ),
    clientErrorHandler: (error, socket) => answerClientError(error, socket),
  };
}

/** Hooks do not run for a path that Fastify itself refuses, so what they ask of every request is asked here. */
async function refuseChecked(
  checkRequest: RequestCheck,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  refuse: (refusal?: FastifyError) => void,
): Promise<void> {
  reply.headers({ 'x-content-type-options': 'nosniff', ...PRIVATE_ANSWER });
  try {
    await checkRequest(request, 'public');
  } catch (refusal) {
    refuse(refusal as FastifyError);
    return;
  }
  refuse();
}
