import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { listen, parseAnswer } from '../support/raw-http.ts';
import { makeServer } from '../support/server.ts';
import { makeTool } from '../support/tools.ts';

const CALL =
  'POST /v1/tools/echo/invoke HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';

/** A connection, and all that came over it. */
async function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1' });
  let received = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (received += piece));
  socket.on('error', () => {});
  await once(socket, 'connect');
  return { socket, received: () => received };
}

describe('a server that is closing', () => {
  it('ends connections that have sent nothing, or only a part of a request', async () => {
    const { app } = makeServer();
    const port = await listen(app);
    const silent = await open(port);
    const partial = await open(port);
    partial.socket.write('GET /healthz HTTP/1.1\r\nHost: local');
    await sleep(50);
    await app.close();
    expect([silent.received(), partial.received()]).toEqual(['', '']);
  });

  it('lets a running call answer, tells its client that the connection ends, and ends it', async () => {
    let finish: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const tool = makeTool(
      { inputSchema: { type: 'object' } },
      { execute: async () => running.then(() => ({ status: 'ok', output: { done: true } })) },
    );
    const { app } = makeServer({ tools: [tool] });
    const busy = await open(await listen(app));
    busy.socket.write(CALL);
    await sleep(100);
    const closed = app.close();
    await sleep(50);
    finish();
    await Promise.all([closed, once(busy.socket, 'close')]);
    const answer = parseAnswer(busy.received());
    expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(answer.body).toContain('"done":true');
  });

  it('ends a connection that is kept alive after its answer', async () => {
    const { app } = makeServer();
    const kept = await open(await listen(app));
    kept.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await expect.poll(kept.received).toContain('200 OK');
    await sleep(50);
    await app.close();
    expect(kept.received()).not.toMatch(/connection: close/iu);
  });
});
