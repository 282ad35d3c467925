import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

export interface CutProxy {
  readonly port: number;
  /** Breaks all connections and takes no new ones. */
  readonly cut: () => void;
  readonly restore: () => void;
  /** Each byte comes so much later, in both directions together. */
  readonly slow: (roundTripMs: number) => void;
  readonly close: () => Promise<void>;
}

/** A TCP proxy that can be cut and slowed, between a broker and its store. */
export async function startCutProxy(target: { port: number }): Promise<CutProxy> {
  const open = new Set<Socket>();
  const state = { isCut: false, oneWayMs: 0 };
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  };
  const pass = (from: Socket, to: Socket): void => {
    const queue: { readonly data: Buffer; readonly dueAt: number }[] = [];
    // One after the other, so that nothing overtakes what came earlier when the delay changes.
    const drain = (): void => {
      const [first] = queue;
      if (first === undefined || to.destroyed) return;
      const waitMs = first.dueAt - performance.now();
      if (waitMs > 0) {
        setTimeout(drain, waitMs);
        return;
      }
      queue.shift();
      to.write(first.data);
      drain();
    };
    from.on('data', (data) => {
      queue.push({ data, dueAt: performance.now() + state.oneWayMs });
      if (queue.length === 1) drain();
    });
    from.once('close', () => to.destroy());
  };
  const server = createServer((near) => {
    keep(near);
    if (state.isCut) {
      near.destroy();
      return;
    }
    const far = connect(target.port, '127.0.0.1');
    keep(far);
    near.setNoDelay(true);
    far.setNoDelay(true);
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    state.isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    restore: () => {
      state.isCut = false;
    },
    slow: (roundTripMs) => {
      state.oneWayMs = roundTripMs / 2;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
