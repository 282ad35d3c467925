import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys, type TestServer } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const { runner, other, operator } = testKeys;
const writes = makeTool(
  { name: 'write', inputSchema: { type: 'object' }, produces: ['text/plain'] },
  {
    execute: async () => ({
      status: 'ok',
      output: {},
      file: { name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.from('mine') },
    }),
  },
);

let server: TestServer;
let live: LiveServer;
beforeAll(async () => {
  server = makeServer({ tools: [makeTool(), writes], settings: { keysConfigured: true } });
  live = await goLive(server.app);
});
afterAll(async () => live.close());

const list = async (key: string): Promise<LiveAnswer> => live.ask('GET /v1/tools', { key });
const hi = { arguments: { text: 'hi' } };

/** `tbr_`, 22 digits of the run's id, 43 of the secret, 8 of the checksum. */
const forge = (token: string, change: (body: string) => string): string => {
  const body = change(token.slice(4, -8));
  return `tbr_${body}${crc32(body).toString(16).padStart(8, '0')}`;
};

describe('a run token', () => {
  it('does all that a runner may do within its run, and nothing else', async () => {
    const { id, token } = await startRun(live, operator);
    const answers = await Promise.all([
      list(token),
      live.ask('POST /v1/tools/echo/invoke', { key: token, body: hi }),
      live.ask(`GET /v1/runs/${id}`, { key: token }),
      live.ask('POST /v1/artifacts?name=a', { key: token, headers: { 'content-type': 'text/plain' } }),
      live.ask('GET /openapi.json', { key: token }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200]);
    for (const path of ['catalog', 'explain?ref=echo']) {
      expect((await live.ask(`GET /v1/admin/${path}`, { key: token })).status).toBe(403);
    }
    const started = await live.ask('POST /v1/runs', { key: token, body: {} });
    expect([started.status, started.json['error'], started.json['message']]).toEqual([
      403,
      'FORBIDDEN',
      'A run token cannot start another run.',
    ]);
    expect((await live.ask(`DELETE /v1/runs/${id}`, { key: token })).status).toBe(204);
    expect((await list(token)).status).toBe(401);
  });

  it('cannot start a run whatever its body says', async () => {
    const { id, token } = await startRun(live, runner);
    for (const body of [{}, { tools: 5 }, { limits: { calls: -1 } }]) {
      expect((await live.ask('POST /v1/runs', { key: token, body })).status).toBe(403);
    }
    await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
  });

  it('is refused with one and the same answer when it is forged, truncated, swapped, ended or expired', async () => {
    const [first, second, ended, short] = [
      await startRun(live, runner),
      await startRun(live, runner),
      await startRun(live, runner),
      await startRun(live, runner, { ttl_seconds: 1 }),
    ];
    await live.ask(`DELETE /v1/runs/${ended.id}`, { key: runner });
    await sleep(1_100);
    const { token } = first;
    const wrong = [
      forge(token, (body) => body.slice(0, 22) + 'A'.repeat(43)),
      forge(token, (body) => body.slice(0, 22) + second.token.slice(26, 69)),
      forge(token, (body) => `${second.id}${body.slice(22)}`),
      forge(token, (body) => 'A'.repeat(22) + body.slice(22)),
      token.slice(0, -1),
      token.slice(0, 30),
      `${token}0`,
      token.toUpperCase(),
      token.replace('tbr_', 'tb_'),
      `tbr_${first.id}`,
      first.id,
      ended.token,
      short.token,
    ];
    const answers = await Promise.all(wrong.map(list));
    const shown = answers.map(({ status, json, headers }) => {
      const { request_id: _id, ...rest } = json;
      return { status, rest, challenge: headers.get('www-authenticate') };
    });
    expect(new Set(shown.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(shown[0]).toMatchObject({
      status: 401,
      rest: { error: 'UNAUTHENTICATED', retryable: false },
      challenge: 'Bearer realm="tool-broker", error="invalid_token"',
    });
    expect((await list(token)).status).toBe(200);
    for (const { id } of [first, second]) await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
  });

  it('is taken from the Authorization header alone, and never shown again', async () => {
    const { id, token } = await startRun(live, runner);
    const places = [
      live.ask(`GET /v1/tools?token=${token}`),
      live.ask(`GET /v1/tools?access_token=${token}`),
      live.ask('GET /v1/tools', { headers: { cookie: `token=${token}` } }),
      live.ask('GET /v1/tools', { headers: { 'x-api-key': token } }),
      live.ask('GET /v1/tools', { headers: { 'proxy-authorization': `Bearer ${token}` } }),
      live.ask('GET /v1/tools', {
        headers: { authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` },
      }),
      live.ask('GET /v1/tools', { headers: { authorization: `Token ${token}` } }),
      live.ask('GET /v1/tools', { headers: { authorization: token } }),
      live.ask('POST /v1/tools/echo/invoke', { body: { ...hi, token } }),
      live.ask(`GET /v1/runs/${token}`),
    ];
    for (const { status, text } of await Promise.all(places)) {
      expect(status).toBe(401);
      expect(text).not.toContain(token);
    }
    const shown = await live.ask(`GET /v1/runs/${id}`, { key: token });
    const secret = token.slice(26, 69);
    expect(shown.text).not.toContain(secret);
    expect(JSON.stringify([server.audited, server.logged])).not.toContain(secret);
    await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
  });

  it('costs about the same work for an unknown run as for a wrong secret', async () => {
    const { id, token } = await startRun(live, runner);
    const wrongSecret = forge(token, (body) => body.slice(0, 22) + 'A'.repeat(43));
    const unknownRun = forge(token, (body) => 'A'.repeat(22) + body.slice(22));
    const time = async (key: string): Promise<number> => {
      const since = performance.now();
      for (let count = 0; count < 200; count += 1)
        await server.app.inject({
          url: '/v1/tools',
          headers: { host: 'localhost', authorization: `Bearer ${key}` },
        });
      return performance.now() - since;
    };
    await time(wrongSecret);
    const ratios = [];
    for (let round = 0; round < 5; round += 1)
      ratios.push((await time(wrongSecret)) / (await time(unknownRun)));
    const [, , median = 1] = ratios.toSorted((a, b) => a - b);
    expect(median).toBeGreaterThan(0.4);
    expect(median).toBeLessThan(2.5);
    await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
  });
});

describe("another one's", () => {
  it('run looks like one that never was', async () => {
    const { id, token } = await startRun(live, runner);
    const second = await startRun(live, runner);
    const shown = async (method: string, path: string, key: string): Promise<unknown> => {
      const { status, json } = await live.ask(`${method} /v1/runs/${path}`, { key });
      const { request_id: _id, message, ...rest } = json;
      return { status, rest, message: String(message).replace(path, 'RUN') };
    };
    for (const method of ['GET', 'DELETE']) {
      const never = await shown(method, 'A'.repeat(22), other);
      expect(never).toMatchObject({ status: 404, rest: { error: 'NOT_FOUND' } });
      expect(await shown(method, id, other)).toEqual(never);
      expect(await shown(method, id, operator)).toEqual(never);
      expect(await shown(method, id, second.token)).toEqual(never);
    }
    for (const odd of ['__proto__', 'constructor', '..%2f..', '%00', '*', 'tbr_']) {
      expect((await live.ask(`GET /v1/runs/${odd}`, { key: runner })).status).toBe(404);
    }
    expect((await live.ask(`GET /v1/runs/${id}`, { key: runner })).status).toBe(200);
    for (const key of [token, second.token]) {
      const own = key === token ? id : second.id;
      expect((await live.ask(`DELETE /v1/runs/${own}`, { key })).status).toBe(204);
      expect((await live.ask(`DELETE /v1/runs/${own}`, { key: runner })).status).toBe(404);
    }
  });

  it("artifact is not found; the owner's key reads its runs' until they end", async () => {
    const [first, second] = [await startRun(live, runner), await startRun(live, runner)];
    const made = await live.ask('POST /v1/tools/write/invoke', { key: first.token, body: {} });
    const { url } = made.json['download'] as { url: string };
    const read = async (key: string): Promise<number> => (await live.ask(`GET ${url}`, { key })).status;
    expect([await read(first.token), await read(runner)]).toEqual([200, 200]);
    expect([await read(second.token), await read(other), await read(operator)]).toEqual([404, 404, 404]);
    const own = await live.ask('POST /v1/tools/write/invoke', { key: runner, body: {} });
    const ownUrl = (own.json['download'] as { url: string }).url;
    expect((await live.ask(`GET ${ownUrl}`, { key: first.token })).status).toBe(404);
    await live.ask(`DELETE /v1/runs/${first.id}`, { key: first.token });
    expect([await read(first.token), await read(runner)]).toEqual([401, 404]);
    expect((await live.ask(`GET ${ownUrl}`, { key: runner })).status).toBe(200);
    await live.ask(`DELETE /v1/runs/${second.id}`, { key: runner });
  });

  it("artifact cannot be handed to a tool either, and the owner's key finds what its run has put in", async () => {
    const { id, token } = await startRun(live, runner);
    const put = await live.ask('POST /v1/artifacts?name=a.txt', {
      key: token,
      headers: { 'content-type': 'text/plain' },
    });
    const path = `GET /v1/artifacts/${String(put.json['artifact_id'])}`;
    expect((await live.ask(path, { key: runner })).status).toBe(200);
    expect((await live.ask(path, { key: other })).status).toBe(404);
    await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
    expect((await live.ask(path, { key: runner })).status).toBe(404);
  });
});

describe('runs without end', () => {
  it('are refused with 503 beyond the bound, and there is room again when some have ended', async () => {
    const { app } = makeServer();
    const answers = [];
    for (let count = 0; count < 45; count += 1) {
      answers.push(await app.inject({ method: 'POST', url: '/v1/runs', headers: { host: 'localhost' } }));
    }
    const [started, refused] = [answers.slice(0, 40), answers.slice(40)];
    expect(new Set(started.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    for (const answer of refused) {
      expect([
        answer.statusCode,
        answer.headers['retry-after'],
        answer.json<{ error: string }>().error,
      ]).toEqual([503, '30', 'OVERLOADED']);
    }
    const first = started[0]?.json<{ run_id: string }>().run_id;
    await app.inject({ method: 'DELETE', url: `/v1/runs/${first}`, headers: { host: 'localhost' } });
    const again = await app.inject({ method: 'POST', url: '/v1/runs', headers: { host: 'localhost' } });
    expect(again.statusCode).toBe(201);
  });
});
