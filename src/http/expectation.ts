import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { BrokerError } from '../core/broker-error.ts';
import { quote } from '../core/quote.ts';

/**
 * Takes `Expect` into our own hands. `100-continue` is answered with 100 only when the announced body is within the
 * largest limit, so that a larger one is refused before it is sent. Any other expectation, which Node would answer with an
 * empty 417, goes on to `requireNoExpectation`.
 */
export function handleExpectations(server: Server, maxBytes: number): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced <= maxBytes) response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Throws INVALID_INPUT for an expectation other than 100-continue. */
export function requireNoExpectation(expect: string | undefined): void {
  if (expect === undefined || expect.toLowerCase() === '100-continue') return;
  throw new BrokerError('INVALID_INPUT', `Expect must be 100-continue; received ${quote(expect)}.`, {
    resolution: 'Leave out the Expect header.',
  });
}
