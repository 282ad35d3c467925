import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';

import { ask, type Answer } from '../support/ask.ts';
import { listen } from '../support/raw-http.ts';
import { makeServer, testKeys } from '../support/server.ts';
import { makeTool } from '../support/tools.ts';

const anything = { inputSchema: { type: 'object' } };
const tools = [
  makeTool(),
  makeTool(
    { ...anything, name: 'mirror' },
    { execute: async (args) => ({ status: 'ok', output: { args } }) },
  ),
  makeTool(
    { ...anything, name: 'fail', produces: ['text/plain'] },
    {
      execute: async () => ({
        status: 'failed',
        code: 'TOOL_RETRY',
        message: 'Not now.',
        output: { left: 1 },
      }),
    },
  ),
  makeTool(
    { ...anything, name: 'throw' },
    { execute: async () => Promise.reject(new Error('secret inside')) },
  ),
];
const server = makeServer({ tools });
const { app } = server;

const invoke = async (
  name: string,
  body?: string | object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  ask(app, `POST /v1/tools/${name}/invoke`, {
    ...(body === undefined ? {} : { body }),
    headers: typeof body === 'string' ? { 'content-type': 'application/json', ...headers } : headers,
  });

describe('POST /v1/tools/{ref}/invoke', () => {
  it('answers with the output and the call', async () => {
    const answer = await invoke('echo@1', { arguments: { text: 'hi' } });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      ok: true,
      invocation_id: expect.any(String) as string,
      ref: 'echo@1',
      output: { text: 'hi' },
      duration_ms: expect.any(Number) as number,
    });
  });

  it('takes no body, {} and {"arguments":{}} for no arguments', async () => {
    for (const body of [undefined, {}, { arguments: {} }]) {
      expect((await invoke('mirror', body)).json()['output']).toEqual({ args: {} });
    }
  });

  it('takes arguments as the JSON text of an object', async () => {
    const answer = await invoke('mirror', { arguments: '{"a": [1, "\\u00e9"]}' });
    expect(answer.json()['output']).toEqual({ args: { a: [1, 'é'] } });
  });

  it.each([
    ['no JSON', '{a', /arguments cannot be taken at line 1, column 2/u],
    ['an array', '[1]', /must be a JSON object; received \[1\]/u],
    ['a lossy integer', '{"n":9007199254740993}', /\(\/arguments\/n\): the integer/u],
    ['a key twice', '{"a":1,"a":2}', /stands twice/u],
    ['text in text', '"{}"', /must be a JSON object/u],
  ])('refuses arguments as text that is %s', async (_what, given, message) => {
    const answer = await invoke('mirror', { arguments: given });
    expect([answer.status, answer.json()['error']]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.json()['message']).toMatch(message);
  });

  it.each([
    [
      'an unknown member',
      { arguments: {}, extra: 1 },
      'body member extra is not known; known: arguments, files',
    ],
    [
      'null arguments',
      { arguments: null },
      'body member arguments must be of type object or string; received null',
    ],
    ['a number', { arguments: 5 }, 'received 5'],
    ['a list', { arguments: [] }, 'body member arguments must be'],
  ])('refuses %s in the body', async (_what, body, message) => {
    const answer = await invoke('mirror', body);
    expect([answer.status, answer.json()['message']]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each(['null', '[]', '"x"', '5', 'true'])('refuses the body %s', async (body) => {
    const answer = await invoke('mirror', body);
    expect([answer.status, answer.json()['message']]).toEqual([
      400,
      `The body must be a JSON object; received ${body}.`,
    ]);
  });

  it('[D54, S1.3-9] hands arguments on as they came: nothing is coerced, filled in or dropped', async () => {
    const args = { n: null, s: '5', i: 12, list: 'one', extra: { deep: [false, 0, ''] }, '': 1 };
    expect((await invoke('mirror', { arguments: args })).json()['output']).toEqual({ args });
    for (const wrong of [{ text: null }, { text: 5 }, { text: ['a'] }, { text: 'a', extra: 1 }]) {
      const answer = await invoke('echo', { arguments: wrong });
      expect(answer.status).toBe(400);
      expect(answer.json()['details']).not.toEqual([]);
    }
  });

  it.each(['artifact=none', 'artifact=link&artifact=link', 'x=1'])('refuses ?%s', async (query) => {
    expect((await ask(app, `POST /v1/tools/mirror/invoke?${query}`)).status).toBe(400);
  });

  it('answers 200 and ok: false once the tool has started, whatever became of it', async () => {
    const answer = await invoke('fail');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      ok: false,
      error: 'TOOL_RETRY',
      message: 'Not now.',
      resolution: expect.any(String) as string,
      retryable: true,
      request_id: expect.any(String) as string,
      invocation_id: expect.any(String) as string,
      ref: 'fail@1',
      output: { left: 1 },
    });
  });

  it('shows nothing of the inside when a tool throws, and logs it', async () => {
    const answer = await invoke('throw');
    expect([answer.status, answer.json()['error']]).toEqual([500, 'INTERNAL']);
    expect(answer.text).not.toContain('secret');
    expect(server.logged.at(-1)?.fields).toMatchObject({
      request_id: answer.json()['request_id'],
      err: expect.objectContaining({ message: 'secret inside' }) as unknown,
    });
  });
});

describe('a client that leaves', () => {
  it('[D82] aborts the call, which is recorded as that', async () => {
    let reason: unknown;
    const wait = makeTool(
      { ...anything, name: 'wait' },
      {
        execute: async (_args, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reason = (signal.reason as { reason: string }).reason;
              resolve({ status: 'ok', output: {} });
            });
          }),
      },
    );
    const own = makeServer({ tools: [wait] });
    const port = await listen(own.app);
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write('POST /v1/tools/wait/invoke HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    setTimeout(() => socket.destroy(), 100);
    await expect
      .poll(() => own.audited.map(({ outcome }) => outcome), { timeout: 3_000 })
      .toEqual(['DISCONNECTED']);
    expect(reason).toBe('disconnect');
    expect(own.logged).toEqual([]);
    await own.app.close();
  });

  it('is not taken for one when the answer was sent and the connection stays open', async () => {
    const own = makeServer({ tools });
    await listen(own.app);
    await ask(own.app, 'POST /v1/tools/mirror/invoke', { key: testKeys.runner });
    expect(own.audited.map(({ outcome }) => outcome)).toEqual(['OK']);
    await own.app.close();
  });
});
