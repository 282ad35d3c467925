import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys, type TestServer } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const { runner } = testKeys;
const anything = { inputSchema: { type: 'object' } };
let running = 0;
let reason: unknown;
const tools = [
  makeTool(),
  makeTool({ name: 'other' }),
  makeTool(
    { ...anything, name: 'wait', limits: { timeoutMs: 10_000 } },
    {
      execute: async ({ ms }, { signal }) => {
        running += 1;
        try {
          await sleep(Number(ms), undefined, { signal });
          return { status: 'ok', output: {} };
        } catch (error) {
          reason = (signal.reason as { reason: string }).reason;
          throw error;
        } finally {
          running -= 1;
        }
      },
    },
  ),
  makeTool(
    { ...anything, name: 'fail' },
    { execute: async () => ({ status: 'failed', code: 'TOOL_FAILED', message: 'No.' }) },
  ),
  makeTool({ ...anything, name: 'throw' }, { execute: async () => Promise.reject(new Error('inside')) }),
  makeTool(
    { ...anything, name: 'throw_at_once' },
    {
      execute: () => {
        throw new Error('before any promise');
      },
    },
  ),
];

let server: TestServer;
let live: LiveServer;
beforeAll(async () => {
  server = makeServer({ tools, settings: { keysConfigured: true } });
  live = await goLive(server.app);
});
afterAll(async () => live.close());

const invoke = async (key: string, name: string, args: object = {}): Promise<LiveAnswer> =>
  live.ask(`POST /v1/tools/${name}/invoke`, { key, body: { arguments: args } });
const usedBy = async ({ id, token }: { id: string; token: string }): Promise<Record<string, unknown>> =>
  (await live.ask(`GET /v1/runs/${id}`, { key: token })).json['used'] as Record<string, unknown>;
const end = async ({ id }: { id: string }): Promise<LiveAnswer> =>
  live.ask(`DELETE /v1/runs/${id}`, { key: runner });

describe('what a call costs', () => {
  it('is nothing when it fails before it starts', async () => {
    const run = await startRun(live, runner, { tools: ['echo'] });
    const { token } = run;
    const post = async (path: string, headers: Record<string, string>, body: string): Promise<number> =>
      (
        await fetch(`http://127.0.0.1:${live.port}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, ...headers },
          body,
        })
      ).status;
    const json = { 'content-type': 'application/json' };
    expect([
      (await invoke(token, 'nothing')).status,
      (await invoke(token, 'other', { text: 'a' })).status,
      (await invoke(token, 'echo', { text: 5 })).status,
      (await invoke(token, 'echo', { text: 'x'.repeat(2_000) })).status,
      await post('/v1/tools/echo/invoke', json, '{'),
      await post('/v1/tools/echo/invoke', { 'content-type': 'text/plain' }, 'x'),
      await post('/v1/tools/echo/invoke', { ...json, accept: 'image/png' }, '{"arguments":{"text":"a"}}'),
    ]).toEqual([404, 404, 400, 413, 400, 415, 406]);
    expect(await usedBy(run)).toMatchObject({
      calls: 0,
      calls_per_tool: {},
      run_time_ms: 0,
      result_bytes: 0,
    });
    await end(run);
  });

  it('says how the run stands on a refusal as well', async () => {
    const run = await startRun(live, runner, { limits: { calls: 7 } });
    expect((await invoke(run.token, 'nothing')).headers.get('ratelimit')).toMatch(/^"calls";r=7;t=\d+$/u);
    expect((await invoke(run.token, 'echo', { text: 5 })).headers.get('ratelimit-policy')).toBe(
      '"calls";q=7;w=600',
    );
    const broken = await fetch(`http://127.0.0.1:${live.port}/v1/tools/echo/invoke`, {
      method: 'POST',
      headers: { authorization: `Bearer ${run.token}`, 'content-type': 'application/json' },
      body: '{',
    });
    expect([broken.status, broken.headers.get('ratelimit')]).toEqual([
      400,
      expect.stringMatching(/^"calls";r=7;t=\d+$/u),
    ]);
    expect(await broken.json()).toMatchObject({ ok: false, error: 'INVALID_INPUT' });
    expect((await invoke(runner, 'nothing')).headers.get('ratelimit')).toBeNull();
    await end(run);
  });

  it('is one call when it ran, whatever became of it', async () => {
    const run = await startRun(live, runner);
    const answers = [];
    for (const name of ['fail', 'throw', 'throw_at_once']) answers.push(await invoke(run.token, name));
    expect(answers.map(({ status, json }) => [status, json['error']])).toEqual([
      [200, 'TOOL_FAILED'],
      [500, 'INTERNAL'],
      [500, 'INTERNAL'],
    ]);
    expect(await usedBy(run)).toMatchObject({
      calls: 3,
      calls_per_tool: { fail: 1, throw: 1, throw_at_once: 1 },
      concurrent_calls: 0,
    });
    await end(run);
  });

  it('is one call when the client leaves in it', async () => {
    const run = await startRun(live, runner);
    const leaving = new AbortController();
    const call = live.ask('POST /v1/tools/wait/invoke', {
      key: run.token,
      body: { arguments: { ms: 5_000 } },
      signal: leaving.signal,
    });
    await expect.poll(() => running).toBe(1);
    leaving.abort();
    await expect(call).rejects.toThrow('abort');
    await expect.poll(() => running).toBe(0);
    await expect.poll(async () => usedBy(run)).toMatchObject({ calls: 1, concurrent_calls: 0 });
    expect(server.audited.at(-1)).toMatchObject({ outcome: 'DISCONNECTED', run: run.id, caller: 'runner' });
    await end(run);
  });
});

describe('DELETE /v1/runs/{id}', () => {
  it('stops running calls within 2 s, and its token is over at once', async () => {
    const run = await startRun(live, runner);
    const call = invoke(run.token, 'wait', { ms: 9_000 });
    await expect.poll(() => running).toBe(1);
    const since = performance.now();
    expect((await end(run)).status).toBe(204);
    expect((await invoke(run.token, 'echo', { text: 'a' })).status).toBe(401);
    const answer = await call;
    expect(performance.now() - since).toBeLessThan(2_000);
    expect([reason, running]).toEqual(['run_over', 0]);
    expect(answer.json).toMatchObject({
      ok: false,
      error: 'TIMEOUT',
      message: 'The run is over and the tool was stopped.',
      retryable: false,
    });
  });

  it('keeps no file of a call that was still running', async () => {
    const slow = makeTool(
      { ...anything, name: 'slow', produces: ['text/plain'] },
      {
        execute: async () => {
          await sleep(200);
          return {
            status: 'ok',
            output: {},
            file: { name: 'a', mediaType: 'text/plain', bytes: Buffer.from('x') },
          };
        },
      },
    );
    const other = await goLive(makeServer({ tools: [slow] }).app);
    const run = await startRun(other, testKeys.runner);
    const call = other.ask('POST /v1/tools/slow/invoke', { key: run.token, body: {} });
    await sleep(50);
    await other.ask(`DELETE /v1/runs/${run.id}`, { key: testKeys.runner });
    const { json } = await call;
    expect(json).toMatchObject({ ok: false, error: 'TIMEOUT' });
    expect([json['artifact'], json['download']]).toEqual([undefined, undefined]);
    await other.close();
  });
});
