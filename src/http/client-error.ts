import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';

import { BrokerError } from '../core/broker-error.ts';
import { errorBody } from './error-body.ts';
import { ERROR_STATUS } from './error-status.ts';

/**
 * Answers, on the bare socket, what Node refuses before there is a request: broken HTTP, a head that is too large, a
 * request that does not arrive in time. There is no request_id, for there is no request.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  answerOnSocket(socket, toRefusal(error.code));
}

/** Writes a refusal to a socket for which there is no response object, and ends it. `headers` are whole lines. */
export function answerOnSocket(
  socket: Socket,
  refusal: BrokerError,
  { requestId, headers = [] }: { readonly requestId?: string; readonly headers?: readonly string[] } = {},
): void {
  const status = ERROR_STATUS[refusal.code];
  const body = JSON.stringify(errorBody(refusal, requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );
}

function toRefusal(code: string | undefined): BrokerError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new BrokerError('HEADERS_TOO_LARGE', 'The request line and headers are more than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new BrokerError('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new BrokerError('PAYLOAD_TOO_LARGE', 'The chunk extensions are more than 16 KiB.');
    case undefined:
    default:
      return new BrokerError(
        'INVALID_INPUT',
        `This is not HTTP/1.1 that can be read (${code ?? 'no code'}).`,
        {
          resolution: 'Send well-formed HTTP/1.1.',
        },
      );
  }
}
