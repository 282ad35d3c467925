import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { randomUUID } from 'node:crypto';

import { BrokerError } from '../core/broker-error.ts';
import { answerOnSocket } from './client-error.ts';

const LINGER_MS = 1_000;

/** Answers CONNECT with 405: Node hands it over with a bare socket, or closes that without a word. */
export function refuseConnect(server: Server): void {
  server.on('connect', (_request, socket: Socket) => {
    const refusal = new BrokerError('METHOD_NOT_ALLOWED', 'CONNECT is not possible here; this is no proxy.');
    socket.on('error', () => socket.destroy());
    socket.setTimeout(LINGER_MS, () => socket.destroy());
    // What the client sends on is read and dropped; a reset could overtake the answer.
    socket.resume();
    answerOnSocket(socket, refusal, { requestId: randomUUID(), headers: ['Allow: GET, HEAD, POST, DELETE'] });
  });
}
