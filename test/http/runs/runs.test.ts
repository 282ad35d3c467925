import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testCeilings, testKeys } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const tools = [
  makeTool(),
  makeTool({ name: 'other' }),
  makeTool({ name: 'one', origin: 'package:kit' }),
  makeTool({ name: 'two', origin: 'package:kit' }),
  makeTool({ name: 'hidden' }),
];
const approved = ['echo@1', 'other@1', 'one@1', 'two@1'];
const { runner } = testKeys;

let live: LiveServer;
beforeAll(async () => {
  live = await goLive(makeServer({ tools, approved, settings: { keysConfigured: true } }).app);
});
afterAll(async () => live.close());

const start = async (body: unknown, key: string = runner): Promise<LiveAnswer> =>
  live.ask('POST /v1/runs', { key, body });
/** Runs are bounded, so each test gives its own back. */
const startAndEnd = async (body: object) => {
  const run = await startRun(live, runner, body);
  await live.ask(`DELETE /v1/runs/${run.id}`, { key: runner });
  return run;
};

describe('POST /v1/runs', () => {
  it('[S1-B7] starts a run with all that the caller may do and the ceilings of the policy, where nothing is asked', async () => {
    for (const body of [undefined, {}]) {
      const answer = await start(body);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
      expect(answer.json).toEqual({
        run_id: expect.stringMatching(/^[\w-]{22}$/u) as string,
        token: expect.stringMatching(/^tbr_[\w-]{65}[0-9a-f]{8}$/u) as string,
        tools: ['echo@1', 'one@1', 'other@1', 'two@1'],
        limits: {
          calls: 1_000,
          calls_per_tool: {},
          result_bytes: 1_000_000,
          artifact_bytes: 1_000_000,
          run_time_ms: 600_000,
          concurrent_calls: 8,
        },
        ignored: [],
        expires_at: expect.any(String) as string,
      });
      const path = answer.headers.get('location') ?? '';
      expect(path).toBe(`/v1/runs/${String(answer.json['run_id'])}`);
      expect((await live.ask(`DELETE ${path}`, { key: runner })).status).toBe(204);
    }
  });

  it('takes limits, a life and labels, and shows what is used and left', async () => {
    const labels = { job: 'weekly "report" ✓', 'team/name': '' };
    const limits = { calls: 3, calls_per_tool: { echo: 2, 'other@1': 1 }, concurrent_calls: 1 };
    const { id, token } = await startRun(live, runner, { limits, labels, ttl_seconds: 60 });
    const call = { key: token, body: { arguments: { text: 'hi' } } };
    await live.ask('POST /v1/tools/echo/invoke', call);
    const shown = await live.ask(`GET /v1/runs/${id}`, { key: token });
    expect(shown.json).toMatchObject({
      run_id: id,
      labels,
      limits: { calls: 3, calls_per_tool: { echo: 2, other: 1 }, concurrent_calls: 1 },
      used: {
        calls: 1,
        calls_per_tool: { echo: 1 },
        result_bytes: 13,
        artifact_bytes: 0,
        concurrent_calls: 0,
      },
      left: { calls: 2, calls_per_tool: { echo: 1, other: 1 }, result_bytes: 999_987, concurrent_calls: 1 },
    });
    const [from, to] = ['started_at', 'expires_at'].map((name) => Date.parse(String(shown.json[name])));
    expect(to! - from!).toBe(60_000);
    await live.ask(`DELETE /v1/runs/${id}`, { key: token });
  });

  it.each([0, -1, 1.5, 1e300, -0.0001, '5', '', null, true, [], {}, 9_007_199_254_740_991])(
    'refuses the limit %j, and names the field and the ceiling',
    async (value) => {
      for (const [name, ceiling] of [
        ['calls', testCeilings.limits.calls],
        ['result_bytes', testCeilings.limits.resultBytes],
        ['artifact_bytes', testCeilings.limits.artifactBytes],
        ['run_time_ms', testCeilings.limits.runTimeMs],
        ['concurrent_calls', testCeilings.limits.concurrentCalls],
      ] as const) {
        const answer = await start({ limits: { [name]: value } });
        const fault = `must be a whole number from 1 to ${ceiling}; received ${JSON.stringify(value)}`;
        expect([answer.status, answer.json['error'], answer.json['message'], answer.json['details']]).toEqual(
          [400, 'INVALID_INPUT', `limits.${name} ${fault}.`, [{ path: `/limits/${name}`, message: fault }]],
        );
      }
      expect((await start({ ttl_seconds: value })).json['message']).toBe(
        `ttl_seconds must be a whole number from 1 to 600; received ${JSON.stringify(value)}.`,
      );
      expect((await start({ limits: { calls_per_tool: { echo: value } } })).json['message']).toBe(
        `limits.calls_per_tool.echo must be a whole number from 1 to 1000; received ${JSON.stringify(value)}.`,
      );
    },
  );

  it('takes each limit at its ceiling and refuses one more', async () => {
    const { limits, ttlMs } = testCeilings;
    const full = {
      calls: limits.calls,
      result_bytes: limits.resultBytes,
      artifact_bytes: limits.artifactBytes,
      run_time_ms: limits.runTimeMs,
      concurrent_calls: limits.concurrentCalls,
    };
    await startAndEnd({ limits: full, ttl_seconds: ttlMs / 1_000 });
    await startAndEnd({
      limits: Object.fromEntries(Object.keys(full).map((name) => [name, 1])),
      ttl_seconds: 1,
    });
    const over = Object.fromEntries(Object.entries(full).map(([name, value]) => [name, value + 1]));
    const answer = await start({ limits: over, ttl_seconds: ttlMs / 1_000 + 1 });
    expect(answer.status).toBe(400);
    expect(answer.json['details']).toHaveLength(6);
    expect(answer.json['message']).toMatch(/ 5 more in `details`\.$/u);
  });

  it.each([
    ['a number with an exponent that overflows', '{"limits":{"calls":1e999}}', /out of range/u],
    ['a key twice', '{"limits":{},"limits":{}}', /twice/u],
    ['__proto__', '{"limits":{"__proto__":{"calls":9}}}', /__proto__/u],
  ])('refuses %s', async (_what, text, message) => {
    const answer = await fetch(`http://127.0.0.1:${live.port}/v1/runs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${runner}`, 'content-type': 'application/json' },
      body: text,
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toMatch(message);
  });

  it.each([
    [{ extra: 1 }, 'extra is not known; known: profile, tools, limits, ttl_seconds, labels'],
    [{ limits: { callz: 1 } }, 'limits.callz is not known; known: calls, result_bytes'],
    [{ limits: [] }, 'limits must be an object; received []'],
    [{ profile: 5 }, 'profile must be the name of a profile; received 5'],
    [{ labels: { a: 1 } }, 'labels.a must be a text of at most 256 characters; received 1'],
    [{ labels: { 'a b': '' } }, 'labels.a b has a name that is not'],
    [{ labels: { a: 'x'.repeat(257) } }, 'labels.a must be a text of at most 256'],
    [{ labels: ['a'] }, 'labels must be an object'],
    [
      { limits: { calls_per_tool: { nothing: 1 } } },
      'limits.calls_per_tool.nothing names no tool of this run',
    ],
    [{ tools: ['echo'], limits: { calls_per_tool: { other: 1 } } }, 'other names no tool of this run'],
    [{ limits: { calls_per_tool: { hidden: 1 } } }, 'hidden names no tool of this run'],
  ])('refuses %j', async (body, message) => {
    const answer = await start(body);
    expect([answer.status, answer.json['message']]).toEqual([400, expect.stringContaining(message)]);
  });

  it('takes 32 labels and refuses 33', async () => {
    const labels = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_unused, index) => [`l${index}`, 'x'.repeat(256)]));
    await startAndEnd({ labels: labels(32) });
    expect((await start({ labels: labels(33) })).json['message']).toBe(
      'labels has 33 entries; at most 32 are taken.',
    );
  });

  it('refuses a profile that is not there, and narrows by one that is', async () => {
    expect((await start({ profile: 'nothing' })).json['message']).toBe('There is no profile "nothing".');
    expect((await startAndEnd({ profile: 'echo_only' })).tools).toEqual(['echo@1']);
  });

  it.each(['null', '[]', '5', '"x"'])('refuses the body %s', async (text) => {
    const answer = await start(JSON.parse(text));
    expect([answer.status, answer.json['message']]).toEqual([
      400,
      `The body must be a JSON object; received ${text}.`,
    ]);
  });

  it('takes no query', async () => {
    expect((await live.ask('POST /v1/runs?calls=1', { key: runner })).status).toBe(400);
  });
});
