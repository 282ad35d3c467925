import { describe, expect, it } from 'vitest';

import { goLive, startRun } from '../support/live-server.ts';
import { makeServer, testKeys } from '../support/server.ts';
import { makeTool } from '../support/tools.ts';

const { app } = makeServer({
  tools: [makeTool(), makeTool({ name: 'hidden' })],
  approved: ['echo@1'],
  settings: { keysConfigured: true },
});

describe('GET /v1/admin/explain', () => {
  it('answers operators alone', async () => {
    const live = await goLive(makeServer({ settings: { keysConfigured: true } }).app);
    const run = await startRun(live, testKeys.operator);
    const ask = async (key?: string): Promise<number> =>
      (await live.ask('GET /v1/admin/explain?ref=echo', key === undefined ? {} : { key })).status;
    expect([
      await ask(),
      await ask(testKeys.runner),
      await ask(run.token),
      await ask(testKeys.operator),
    ]).toEqual([401, 403, 403, 200]);
    await live.close();
  });

  it('[N8] says why, for the caller and the run that are named', async () => {
    const live = await goLive(app);
    const { runner, operator } = testKeys;
    const run = await startRun(live, runner, { limits: { calls: 1 } });
    const narrow = await startRun(live, runner, { tools: [] });
    const explain = async (query: string) =>
      (await live.ask(`GET /v1/admin/explain?${query}`, { key: operator })).json;
    expect(await explain('ref=echo')).toEqual({
      ref: 'echo',
      tool: 'echo@1',
      origin: 'builtin',
      caller: 'operator',
      allowed: true,
      reason: 'allowed',
      detail: expect.any(String) as string,
      policy_revision: '0123456789abcdef',
    });
    expect(await explain('ref=hidden')).toMatchObject({
      allowed: false,
      reason: 'not_approved',
      policy_place: 'policy.yaml:1:1',
    });
    expect(await explain('ref=echo&caller=other')).toMatchObject({
      caller: 'other',
      reason: 'not_for_caller',
    });
    expect(await explain(`ref=echo&run=${narrow.id}`)).toMatchObject({
      run: narrow.id,
      caller: 'runner',
      reason: 'not_in_run',
    });
    expect(await explain(`ref=echo&run=${run.id}`)).toMatchObject({ reason: 'allowed' });
    await live.ask('POST /v1/tools/echo/invoke', { key: run.token, body: { arguments: { text: 'a' } } });
    expect(await explain(`ref=echo&run=${run.id}`)).toMatchObject({
      allowed: false,
      reason: 'budget_used_up',
      detail: expect.stringContaining('calls is used up: limit 1, used 1.') as string,
    });
    expect(await explain(`ref=nothing&run=${run.id}`)).toMatchObject({ reason: 'unknown' });
    await live.close();
  });

  it.each([
    ['ref=echo&run=nothing', 404, 'There is no run "nothing".'],
    ['ref=echo&caller=nobody', 404, 'There is no caller "nobody", or its key has expired.'],
    ['', 400, 'query parameter ref is required'],
    ['ref=', 400, 'query parameter ref must be'],
    ['ref=a&ref=b', 400, 'ref is given 2 times'],
    ['ref=a&job=b', 400, 'job is not known'],
  ])('answers ?%s with %i', async (query, status, message) => {
    const answer = await makeServer().app.inject({
      url: `/v1/admin/explain?${query}`,
      headers: { host: 'localhost', authorization: `Bearer ${testKeys.operator}` },
    });
    expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });
});
