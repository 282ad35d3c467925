import type { Socket } from 'node:net';

import type { HttpServer } from './http-server.ts';

/**
 * Closing waits for every connection. One without a request is ended at once (Node itself takes a new one for busy), and
 * one in use when its last answer is out.
 */
export function endConnectionsOnClose(app: HttpServer): void {
  /** Requests under way on each; several where a client sends ahead. */
  const open = new Map<Socket, number>();
  let isClosing = false;
  const count = (socket: Socket, change: number): void => {
    const requests = open.get(socket);
    if (requests === undefined) return;
    open.set(socket, requests + change);
    if (isClosing && requests + change === 0) socket.end();
  };
  app.server.on('connection', (socket) => {
    if (isClosing) {
      socket.destroy();
      return;
    }
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    count(socket, 1);
    reply.raw.once('close', () => count(socket, -1));
  });
  app.addHook('onSend', async ({ raw: { socket } }, reply) => {
    if (isClosing && open.get(socket) === 1) reply.header('connection', 'close');
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const [socket, requests] of open) if (requests === 0) socket.destroy();
  });
}
