import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const { runner } = testKeys;
const anything = { inputSchema: { type: 'object' } };
let running = 0;
const tools = [
  makeTool(),
  makeTool({ name: 'other' }),
  makeTool(
    { ...anything, name: 'say' },
    { execute: async ({ bytes }) => ({ status: 'ok', output: { text: 'x'.repeat(Number(bytes)) } }) },
  ),
  makeTool(
    { ...anything, name: 'write', produces: ['text/plain'] },
    {
      execute: async ({ bytes }) => ({
        status: 'ok',
        output: {},
        file: { name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.alloc(Number(bytes)) },
      }),
    },
  ),
  makeTool(
    { ...anything, name: 'wait', limits: { timeoutMs: 10_000 } },
    {
      execute: async ({ ms }, { signal }) => {
        running += 1;
        await sleep(Number(ms), undefined, { signal });
        running -= 1;
        return { status: 'ok', output: {} };
      },
    },
  ),
];

let live: LiveServer;
beforeAll(async () => {
  live = await goLive(makeServer({ tools, settings: { keysConfigured: true } }).app);
});
afterAll(async () => live.close());

const invoke = async (key: string, name: string, args: object = {}): Promise<LiveAnswer> =>
  live.ask(`POST /v1/tools/${name}/invoke`, { key, body: { arguments: args } });
const usedBy = async ({ id, token }: { id: string; token: string }): Promise<Record<string, unknown>> =>
  (await live.ask(`GET /v1/runs/${id}`, { key: token })).json['used'] as Record<string, unknown>;
const end = async ({ id }: { id: string }): Promise<LiveAnswer> =>
  live.ask(`DELETE /v1/runs/${id}`, { key: runner });

describe('a budget', () => {
  it('[S1-B4, N1] of calls lets the last one through and refuses the next, saying which, its limit, what is used and when it resets', async () => {
    const run = await startRun(live, runner, { limits: { calls: 2 } });
    for (const left of [1, 0]) {
      const answer = await invoke(run.token, 'echo', { text: 'hi' });
      expect([
        answer.status,
        answer.headers.get('ratelimit'),
        answer.headers.get('ratelimit-policy'),
      ]).toEqual([
        200,
        expect.stringMatching(new RegExp(`^"calls";r=${left};t=(600|599)$`, 'u')),
        '"calls";q=2;w=600',
      ]);
    }
    const refused = await invoke(run.token, 'echo', { text: 'hi' });
    expect([refused.status, refused.json['error'], refused.json['retryable']]).toEqual([
      429,
      'QUOTA_EXCEEDED',
      false,
    ]);
    expect(refused.json['message']).toMatch(
      /^The run's budget calls is used up: limit 2, used 2\. It does not reset; the run ends at 20\S+Z\.$/u,
    );
    expect(refused.json['details']).toEqual([{ path: '/limits/calls', message: 'limit 2, used 2' }]);
    expect(refused.json['invocation_id']).toEqual(expect.any(String));
    expect(refused.headers.get('ratelimit')).toMatch(/^"calls";r=0;t=\d+$/u);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect((await invoke(runner, 'echo', { text: 'hi' })).status).toBe(200);
    await end(run);
  });

  it('for one tool leaves the others alone', async () => {
    const run = await startRun(live, runner, { limits: { calls_per_tool: { echo: 1 } } });
    expect((await invoke(run.token, 'echo', { text: 'a' })).status).toBe(200);
    const refused = await invoke(run.token, 'echo@1', { text: 'a' });
    expect([refused.status, refused.json['details']]).toEqual([
      429,
      [{ path: '/limits/calls_per_tool', message: 'limit 1, used 1' }],
    ]);
    expect((await invoke(run.token, 'other', { text: 'a' })).status).toBe(200);
    await end(run);
  });

  it('[S1-B9, N2] of result bytes withholds what does not fit, and counts only what was handed on', async () => {
    const run = await startRun(live, runner, { limits: { result_bytes: 100 } });
    const overhead = '{"text":""}'.length;
    expect((await invoke(run.token, 'say', { bytes: 60 - overhead })).json['ok']).toBe(true);
    const withheld = await invoke(run.token, 'say', { bytes: 41 - overhead });
    expect([withheld.status, withheld.json['ok'], withheld.json['error']]).toEqual([
      200,
      false,
      'RESULT_TOO_LARGE',
    ]);
    expect(withheld.json['message']).toContain(
      "The run's budget result_bytes has too little left: limit 100, used 60.",
    );
    expect(withheld.json).not.toHaveProperty('output');
    expect((await invoke(run.token, 'say', { bytes: 40 - overhead })).json['ok']).toBe(true);
    expect(await usedBy(run)).toMatchObject({ calls: 3, result_bytes: 100 });
    expect((await invoke(run.token, 'say', { bytes: 1 })).json['error']).toBe('QUOTA_EXCEEDED');
    await end(run);
  });

  it('of artifact bytes counts what calls make and what is put in', async () => {
    const run = await startRun(live, runner, { limits: { artifact_bytes: 100 } });
    const put = async (bytes: number): Promise<LiveAnswer> => {
      const answer = await fetch(`http://127.0.0.1:${live.port}/v1/artifacts?name=a`, {
        method: 'POST',
        headers: { authorization: `Bearer ${run.token}` },
        body: Buffer.alloc(bytes),
      });
      return {
        status: answer.status,
        headers: answer.headers,
        text: '',
        json: (await answer.json()) as object as never,
      };
    };
    expect((await put(30)).status).toBe(201);
    expect((await invoke(run.token, 'write', { bytes: 50 })).json['ok']).toBe(true);
    const refused = await put(21);
    expect([refused.status, refused.json['error'], refused.json['message']]).toEqual([
      429,
      'QUOTA_EXCEEDED',
      expect.stringContaining('artifact_bytes has too little left: limit 100, used 80.'),
    ]);
    expect((await invoke(run.token, 'write', { bytes: 21 })).json['error']).toBe('RESULT_TOO_LARGE');
    expect((await put(20)).status).toBe(201);
    expect(await usedBy(run)).toMatchObject({ calls: 2, artifact_bytes: 100 });
    await end(run);
  });

  it('[S1-B8] of run time counts a call to its end and refuses the one after', async () => {
    const run = await startRun(live, runner, { limits: { run_time_ms: 20 } });
    expect((await invoke(run.token, 'wait', { ms: 40 })).json['ok']).toBe(true);
    expect((await invoke(run.token, 'echo', { text: 'a' })).json['details']).toEqual([
      { path: '/limits/run_time_ms', message: expect.stringMatching(/^limit 20, used \d+$/u) as string },
    ]);
    expect((await live.ask(`GET /v1/runs/${run.id}`, { key: run.token })).json['left']).toMatchObject({
      run_time_ms: 0,
    });
    await end(run);
  });

  it('of concurrent calls asks to wait, and a place comes back when a call ends', async () => {
    const run = await startRun(live, runner, { limits: { concurrent_calls: 1 } });
    const first = invoke(run.token, 'wait', { ms: 300 });
    await expect.poll(() => running).toBe(1);
    const refused = await invoke(run.token, 'wait', { ms: 1 });
    expect([
      refused.status,
      refused.json['error'],
      refused.json['retryable'],
      refused.json['retry_after'],
    ]).toEqual([429, 'RATE_LIMITED', true, 1]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await first).json['ok']).toBe(true);
    expect((await invoke(run.token, 'wait', { ms: 1 })).json['ok']).toBe(true);
    expect(await usedBy(run)).toMatchObject({ calls: 2, concurrent_calls: 0 });
    await end(run);
  });
});
