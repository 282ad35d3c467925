import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ERROR_CODES } from '../../src/core/error-codes.ts';
import { freePort } from '../support/store-server.ts';

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

describe('deploy/haproxy.cfg', () => {
  const config = readFileSync('deploy/haproxy.cfg', 'utf8');

  it.skipIf(!hasHaproxy)('is valid (needs haproxy)', () => {
    expect(spawnSync('haproxy', ['-c', '-f', 'deploy/haproxy.cfg']).status).toBe(0);
  });

  it('answers in the shape of the broker, with codes that the broker has at that status', () => {
    const answers = [...config.matchAll(/http-error status (\d+) .*lf-string '(.+?)'(?: hdr (.+))?$/gmu)];
    expect(answers.map(([, status]) => status)).toStrictEqual(['400', '408', '502', '503', '504']);
    for (const [, , text = '', header] of answers) {
      const body = JSON.parse(text) as Record<string, unknown>;
      expect(ERROR_CODES).toHaveProperty(String(body['error']));
      expect(body).toMatchObject({ ok: false, message: expect.any(String), resolution: expect.any(String) });
      expect(body).toMatchObject({ retryable: expect.any(Boolean), request_id: '%[uuid()]' });
      expect(header).toBe(
        body['retry_after'] === undefined ? undefined : `Retry-After ${Number(body['retry_after'])}`,
      );
    }
  });

  it('never sends a call a second time that may have reached a broker', () => {
    expect(config).toMatch(/^ {2}retry-on conn-failure$/mu);
  });

  it.skipIf(!hasHaproxy)(
    'tells the client, on each of its calls, that the broker died (needs haproxy)',
    async () => {
      const broker = createServer((request, response) => {
        if (request.url === '/v1/dies') request.socket.destroy();
        else response.end('{}');
      });
      broker.listen(0, '127.0.0.1');
      await once(broker, 'listening');
      const balancer = await startBalancer(config, (broker.address() as AddressInfo).port);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        const answers = [];
        for (const path of ['/v1/tools', '/v1/dies', '/v1/tools', '/v1/dies']) {
          const { status, text } = await ask(balancer.port, path, agent);
          answers.push({ status, body: JSON.parse(text) as unknown });
        }
        const died = { status: 502, body: expect.objectContaining({ ok: false, error: 'INTERNAL' }) };
        expect(answers).toEqual([{ status: 200, body: {} }, died, { status: 200, body: {} }, died]);
      } finally {
        agent.destroy();
        await balancer.stop();
        broker.close();
        broker.closeAllConnections();
      }
    },
  );
});

/** The shipped configuration with one broker and a port of its own; answers once that broker is found ready. */
async function startBalancer(
  config: string,
  brokerPort: number,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'balancer-'));
  const file = join(directory, 'haproxy.cfg');
  const here = config
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/ resolvers network.*$/mu, '')
    .replace(/server-template .*$/mu, `server broker 127.0.0.1:${brokerPort}`);
  await writeFile(file, here);
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  await expect.poll(async () => ready(port), { timeout: 10_000 }).toBe(true);
  return {
    port,
    stop: async () => {
      const gone = once(haproxy, 'exit');
      haproxy.kill('SIGKILL');
      await gone;
      await rm(directory, { recursive: true });
    },
  };
}

async function ready(port: number): Promise<boolean> {
  try {
    return (await ask(port, '/readyz')).status === 200;
  } catch {
    return false;
  }
}

async function ask(port: number, path: string, agent?: Agent): Promise<{ status: number; text: string }> {
  const request = get({ host: '127.0.0.1', port, path, ...(agent && { agent }) });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
}
