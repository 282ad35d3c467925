import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { goLive, startRun, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys } from '../../support/server.ts';

const hi = { arguments: { text: 'hi' } };

describe('a rate', () => {
  let live: LiveServer;
  beforeAll(async () => {
    live = await goLive(makeServer({ rateLimit: { requests: 3, windowSeconds: 60 } }).app);
  });
  afterAll(async () => live.close());

  it("is counted over a caller's own calls and those of all its runs, and says when to come again", async () => {
    const run = await startRun(live, testKeys.runner, { limits: { calls: 10 } });
    const invoke = async (key: string) => live.ask('POST /v1/tools/echo/invoke', { key, body: hi });
    const own = await invoke(testKeys.runner);
    expect([own.headers.get('ratelimit-policy'), own.headers.get('ratelimit')]).toEqual([
      '"rate";q=3;w=60',
      expect.stringMatching(/^"rate";r=2;t=(60|59)$/u),
    ]);
    const inRun = await invoke(run.token);
    expect([inRun.headers.get('ratelimit-policy'), inRun.headers.get('ratelimit')]).toEqual([
      '"rate";q=3;w=60, "calls";q=10;w=600',
      expect.stringMatching(/^"rate";r=1;t=\d+, "calls";r=9;t=\d+$/u),
    ]);
    await invoke(testKeys.runner);
    for (const key of [testKeys.runner, run.token]) {
      const refused = await invoke(key);
      expect([refused.status, refused.json['error'], refused.json['retryable']]).toEqual([
        429,
        'RATE_LIMITED',
        true,
      ]);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBe(refused.json['retry_after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(refused.headers.get('ratelimit')).toMatch(/^"rate";r=0;t=\d+/u);
    }
    const shown = await live.ask(`GET /v1/runs/${run.id}`, { key: run.token });
    expect(shown.json['used']).toMatchObject({ calls: 1 });
    expect((await invoke(testKeys.operator)).status).toBe(200);
    expect((await live.ask('GET /v1/tools', { key: run.token })).status).toBe(200);
  });
});

describe('a jump of the clock', () => {
  it.each([-400, 400])('of %i days ends no run early or late, and loses none of its files', async (days) => {
    const live = await goLive(makeServer().app);
    const run = await startRun(live, testKeys.runner);
    try {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 86_400_000 });
      const call = await live.ask('POST /v1/tools/echo/invoke', { key: run.token, body: hi });
      expect(call.status).toBe(200);
      expect(call.headers.get('ratelimit')).toMatch(/^"calls";r=999;t=(600|599)$/u);
      const put = await live.ask('POST /v1/artifacts?name=a', {
        key: run.token,
        headers: { 'content-type': 'text/plain' },
      });
      const path = `GET /v1/artifacts/${String(put.json['artifact_id'])}`;
      expect((await live.ask(path, { key: run.token })).status).toBe(200);
      const late = await startRun(live, testKeys.runner, { ttl_seconds: 1 });
      vi.setSystemTime(Date.now() - days * 86_400_000);
      await expect
        .poll(async () => (await live.ask('GET /v1/tools', { key: late.token })).status, { timeout: 5_000 })
        .toBe(401);
      expect((await live.ask(path, { key: run.token })).status).toBe(200);
    } finally {
      vi.useRealTimers();
      await live.close();
    }
  });
});
