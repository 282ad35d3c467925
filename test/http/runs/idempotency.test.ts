import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys, type TestServer } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const { runner, other } = testKeys;
const anything = { inputSchema: { type: 'object' } };
let ran = 0;
const tools = [
  makeTool(
    { ...anything, name: 'count', limits: { timeoutMs: 10_000 } },
    {
      execute: async ({ ms }) => {
        ran += 1;
        await sleep(Number(ms ?? 0));
        return { status: 'ok', output: { ran } };
      },
    },
  ),
  makeTool(
    { ...anything, name: 'fail', produces: ['text/plain'] },
    {
      execute: async () => {
        ran += 1;
        return { status: 'failed', code: 'TOOL_RETRY', message: `Not now (${ran}).` };
      },
    },
  ),
  makeTool(
    { ...anything, name: 'throw', origin: 'package:kit' },
    {
      execute: async () => {
        ran += 1;
        throw new Error('inside');
      },
    },
  ),
  makeTool(
    { ...anything, name: 'throw_pure' },
    {
      execute: async () => {
        ran += 1;
        throw new Error('inside');
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

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}`;
interface Keyed {
  readonly idempotency: string;
  readonly args?: object;
  readonly key?: string;
  readonly query?: string;
  readonly accept?: string;
}
const invoke = async (name: string, keyed: Keyed, signal?: AbortSignal): Promise<LiveAnswer> => {
  const { idempotency, args = {}, key = runner, query = '', accept } = keyed;
  return live.ask(`POST /v1/tools/${name}/invoke${query}`, {
    key,
    body: { arguments: args },
    headers: { 'idempotency-key': idempotency, ...(accept !== undefined && { accept }) },
    ...(signal && { signal }),
  });
};

describe('Idempotency-Key', () => {
  it('gives a repeated call the answer of the first, and says so', async () => {
    const idempotency = newKey();
    const first = await invoke('count', { idempotency, args: { a: 1, b: [2] } });
    const again = await invoke('count@1', { idempotency, args: { b: [2], a: 1 } });
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.json).toEqual(first.json);
    expect(server.audited.slice(-2).map(({ replayed, outcome }) => [replayed, outcome])).toEqual([
      [undefined, 'OK'],
      [true, 'OK'],
    ]);
  });

  it('[N11] lets the tool run once when the same call comes from 50 clients at once', async () => {
    const before = ran;
    const idempotency = newKey();
    const untilAnswered = async (): Promise<LiveAnswer> => {
      for (;;) {
        const answer = await invoke('count', { idempotency, args: { ms: 200 } });
        if (answer.status === 200) return answer;
        if (answer.status !== 409) throw new Error(answer.text);
        await sleep(50);
      }
    };
    const answers = await Promise.all(Array.from({ length: 50 }, untilAnswered));
    expect(ran - before).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  it('is in conflict while the first call runs, with the time to wait', async () => {
    const idempotency = newKey();
    const first = invoke('count', { idempotency, args: { ms: 300 } });
    await sleep(100);
    const second = await invoke('count', { idempotency, args: { ms: 300 } });
    expect([second.status, second.headers.get('retry-after')]).toEqual([409, '2']);
    expect(second.json).toMatchObject({ error: 'CONFLICT', retryable: true, retry_after: 2 });
    expect((await first).status).toBe(200);
  });

  it.each([
    ['other arguments', 'count', { a: 2 }],
    ['another tool', 'fail', { a: 1 }],
    ['an argument more', 'count', { a: 1, b: null }],
    ['a text for a number', 'count', { a: '1' }],
  ])('is in conflict with %s', async (_what, name, args) => {
    const idempotency = newKey();
    await invoke('count', { idempotency, args: { a: 1 } });
    const before = ran;
    const answer = await invoke(name, { idempotency, args });
    expect([answer.status, answer.json['error'], answer.json['retryable']]).toEqual([409, 'CONFLICT', false]);
    expect(answer.json).not.toHaveProperty('retry_after');
    expect(ran).toBe(before);
  });

  it('replays a failure of the tool, also where bytes were asked for', async () => {
    const idempotency = newKey();
    const first = await invoke('fail', { idempotency });
    const again = await invoke('fail', { idempotency });
    const { request_id: _first, ...failure } = first.json;
    const { request_id: _again, ...replayed } = again.json;
    expect(replayed).toEqual(failure);
    const bytes = await invoke('fail', { idempotency, accept: 'text/plain' });
    expect([bytes.status, bytes.headers.get('idempotency-replayed')]).toEqual([422, 'true']);
    expect(bytes.json['message']).toBe(first.json['message']);
  });

  it('does not store a call that did not start', async () => {
    const idempotency = newKey();
    const run = await startRun(live, runner, { limits: { calls_per_tool: { count: 1 } } });
    const before = ran;
    expect((await invoke('count', { idempotency: newKey(), key: run.token })).status).toBe(200);
    for (let count = 0; count < 3; count += 1) {
      expect((await invoke('count', { idempotency, key: run.token })).json['error']).toBe('QUOTA_EXCEEDED');
    }
    expect((await invoke('nothing', { idempotency })).status).toBe(404);
    expect(ran - before).toBe(1);
    expect((await invoke('count', { idempotency })).headers.get('idempotency-replayed')).toBeNull();
    await live.ask(`DELETE /v1/runs/${run.id}`, { key: runner });
  });

  it('costs a run nothing when it is replayed, and says how the run stands', async () => {
    const run = await startRun(live, runner, { limits: { calls: 5 } });
    const idempotency = newKey();
    for (let count = 0; count < 4; count += 1) {
      const answer = await invoke('count', { idempotency, key: run.token });
      expect(answer.headers.get('ratelimit')).toMatch(/^"calls";r=4;t=\d+$/u);
    }
    const shown = await live.ask(`GET /v1/runs/${run.id}`, { key: run.token });
    expect(shown.json['used']).toMatchObject({ calls: 1 });
    await live.ask(`DELETE /v1/runs/${run.id}`, { key: runner });
  });

  it('belongs to the run, else to the caller: the same key of another one is another key', async () => {
    const [first, second] = [await startRun(live, runner), await startRun(live, runner)];
    const { operator } = testKeys;
    const idempotency = newKey();
    const before = ran;
    for (const key of [first.token, second.token, runner, operator]) {
      const answer = await invoke('count', { idempotency, key });
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    }
    expect(ran - before).toBe(4);
    expect((await invoke('count', { idempotency, key: other })).status).toBe(404);
    for (const { id } of [first, second]) await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
  });

  it('outlives its client: the call goes on, and the retry gets its answer', async () => {
    const before = ran;
    const idempotency = newKey();
    const leaving = new AbortController();
    const lost = invoke('count', { idempotency, args: { ms: 300 } }, leaving.signal);
    await sleep(100);
    leaving.abort();
    await expect(lost).rejects.toThrow('abort');
    await expect
      .poll(async () => (await invoke('count', { idempotency, args: { ms: 300 } })).status, {
        timeout: 5_000,
      })
      .toBe(200);
    expect(ran - before).toBe(1);
  });

  it('holds the outcome of a package unknown when its call broke off, and lets a built-in run again', async () => {
    const [packaged, pure] = [newKey(), newKey()];
    const before = ran;
    expect((await invoke('throw', { idempotency: packaged })).status).toBe(500);
    expect((await invoke('throw', { idempotency: packaged })).json['error']).toBe('CONFLICT');
    expect((await invoke('throw_pure', { idempotency: pure })).status).toBe(500);
    expect((await invoke('throw_pure', { idempotency: pure })).status).toBe(500);
    expect(ran - before).toBe(3);
  });
});
