import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { BrokerError } from '../core/broker-error.ts';
import type { HttpDeps } from './deps.ts';
import { errorBody } from './error-body.ts';
import { ERROR_STATUS } from './error-status.ts';
import { unsupportedMediaType } from './json/json-media-type.ts';
import { quotaHeaders } from './quota-headers.ts';

export type ErrorHandler = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Answers whatever a route or Fastify throws in the one shape. Only what is known to be the caller's doing is called
 * so; all else is INTERNAL, with a fixed text, and its cause goes to the log.
 */
export function createErrorHandler({ log, settings }: HttpDeps): ErrorHandler {
  return (error, request, reply) => {
    const refusal = toRefusal(error, request, settings.maxBodyBytes);
    if (refusal.code === 'INTERNAL') {
      log.error({ request_id: request.id, route: request.routeOptions.url, err: error }, 'request failed');
    }
    if (refusal.facts.retryAfter !== undefined) reply.header('retry-after', String(refusal.facts.retryAfter));
    reply.headers(quotaHeaders(refusal.facts.quotas));
    // What is left of the body is not worth reading.
    if (refusal.code === 'PAYLOAD_TOO_LARGE') reply.header('connection', 'close');
    if (refusal.code === 'UNAUTHENTICATED') reply.header('www-authenticate', challenge(request));
    reply
      .code(ERROR_STATUS[refusal.code])
      .type('application/json; charset=utf-8')
      .send(errorBody(refusal, request.id));
  };
}

function toRefusal(error: FastifyError, request: FastifyRequest, maxBodyBytes: number): BrokerError {
  if (error instanceof BrokerError) return error;
  // The client went away while its body was read; nobody is left to see this.
  if (request.raw.errored === error) return new BrokerError('INVALID_INPUT', 'The body broke off.');
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new BrokerError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBodyBytes} bytes.`, {
        resolution: `Send a body of at most ${maxBodyBytes} bytes.`,
      });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType(request.headers['content-type']);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new BrokerError('INVALID_INPUT', 'The body is not as long as Content-Length says.');
    case 'FST_ERR_BAD_URL':
      return new BrokerError('INVALID_INPUT', 'The path has a percent escape that is not UTF-8.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new BrokerError('URI_TOO_LONG', 'A part of the path is longer than 256 characters.');
    default:
      return new BrokerError('INTERNAL', 'The service failed on this request; the fault is ours.');
  }
}

/** RFC 6750 section 3: `error` only where a credential was presented. */
function challenge(request: FastifyRequest): string {
  const presented = request.headers.authorization !== undefined;
  return `Bearer realm="tool-broker"${presented ? ', error="invalid_token"' : ''}`;
}
