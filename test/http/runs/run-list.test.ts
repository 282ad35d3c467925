import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const tools = [
  makeTool(),
  makeTool({ name: 'other' }),
  makeTool({ name: 'one', origin: 'package:kit' }),
  makeTool({ name: 'two', origin: 'package:kit' }),
  makeTool({ name: 'hidden' }),
];
const approved = ['echo@1', 'other@1', 'one@1', 'two@1'];
const { runner, other } = testKeys;

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

describe('[D59, S1-B6] the list of a run', () => {
  it.each([
    ['[] is nothing', [], [[], []]],
    ['a star is no name', ['*'], [[], ['*']]],
    ['no bundle expands', ['local'], [[], ['local']]],
    ['names and refs', ['echo', 'other@1'], [['echo@1', 'other@1'], []]],
    ['twice is once', ['echo', 'echo', 'echo@1'], [['echo@1'], []]],
    ['a package is its commands', ['kit'], [['one@1', 'two@1'], []]],
    ['one command of a package', ['kit:two', 'kit:one@1'], [['one@1', 'two@1'], []]],
    ['unknown and refused alike come back', ['nope', 'hidden', 'echo@2'], [[], ['nope', 'hidden', 'echo@2']]],
    ['a typo costs only itself', ['ehco', 'echo'], [['echo@1'], ['ehco']]],
    ['names of prototypes are names', ['__proto__', 'constructor'], [[], ['__proto__', 'constructor']]],
    ['case counts', ['ECHO', 'Echo@1'], [[], ['ECHO', 'Echo@1']]],
  ])('%s', async (_what, list, outcome) => {
    const [expected, ignored] = outcome;
    expect(await startAndEnd({ tools: list })).toMatchObject({ tools: expected, ignored });
  });

  it.each([
    ['echo', 'tools must be a list of names and refs; received "echo".'],
    [{}, 'tools must be a list of names and refs; received {}.'],
    [null, 'tools must be a list of names and refs; received null.'],
    [[1], 'tools.0 must be a text of 1 to 256 characters; received 1.'],
    [['echo', null], 'tools.1 must be a text of 1 to 256 characters; received null.'],
    [[['echo']], 'tools.0 must be a text of 1 to 256 characters; received ["echo"].'],
    [[''], 'tools.0 must be a text of 1 to 256 characters; received "".'],
  ])('refuses %j', async (list, message) => {
    const answer = await start({ tools: list });
    expect([answer.status, answer.json['error'], answer.json['message']]).toEqual([
      400,
      'INVALID_INPUT',
      message,
    ]);
  });

  it('takes 1,000 entries of 256 characters and refuses one more of either', async () => {
    const entries = (count: number) => Array.from({ length: count }, (_unused, index) => `x${index}`);
    expect((await startAndEnd({ tools: entries(1_000) })).ignored).toHaveLength(1_000);
    expect((await start({ tools: entries(1_001) })).json['message']).toBe(
      'tools has 1001 entries; at most 1000 are taken.',
    );
    expect((await start({ tools: entries(100_000) })).json['message']).toBe(
      'tools has 100000 entries; at most 1000 are taken.',
    );
    expect((await startAndEnd({ tools: ['😀'.repeat(256)] })).ignored).toHaveLength(1);
    expect((await start({ tools: ['x'.repeat(257)] })).status).toBe(400);
  });

  it('refuses a body beyond the limit before it is read', async () => {
    expect((await start({ tools: ['x'.repeat(1_100_000)] })).status).toBe(413);
  });

  it('[S1-B5] can only narrow: a caller who may do nothing starts a run that may do nothing', async () => {
    const answer = await start({ tools: ['echo', 'kit'] }, other);
    expect(answer.json).toMatchObject({ tools: [], ignored: ['echo', 'kit'] });
    const call = await live.ask('POST /v1/tools/echo/invoke', {
      key: String(answer.json['token']),
      body: { arguments: { text: 'hi' } },
    });
    expect([call.status, call.json['error']]).toEqual([404, 'NOT_FOUND']);
  });

  it('[S1-B2] holds on list, describe, invoke and in the OpenAPI document', async () => {
    const { id, token } = await startRun(live, runner, { tools: ['echo'] });
    const listed = await live.ask('GET /v1/tools', { key: token });
    expect((listed.json['tools'] as { ref: string }[]).map(({ ref }) => ref)).toEqual(['echo@1']);
    expect((await live.ask('GET /v1/tools/other', { key: token })).status).toBe(404);
    const call = await live.ask('POST /v1/tools/other@1/invoke', {
      key: token,
      body: { arguments: { text: 'hi' } },
    });
    expect([call.status, call.json['expected_format']]).toEqual([404, 'one of: echo (1 in all)']);
    expect((await live.ask('GET /openapi.json', { key: token })).text).not.toContain(
      '/v1/tools/other@1/invoke',
    );
    await live.ask(`DELETE /v1/runs/${id}`, { key: runner });
  });
});
