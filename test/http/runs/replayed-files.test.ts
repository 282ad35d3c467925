import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange, parseAnswer } from '../../support/raw-http.ts';
import { goLive, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

const { runner } = testKeys;
const anything = { inputSchema: { type: 'object' } };
let ran = 0;
const file = (bytes: number) => ({ name: 'a.txt', mediaType: 'text/plain', bytes: Buffer.alloc(bytes, 'x') });
const tools = [
  makeTool(
    { ...anything, name: 'count', limits: { timeoutMs: 10_000 } },
    {
      execute: async () => ({ status: 'ok', output: {} }),
    },
  ),
  makeTool(
    { ...anything, name: 'write', produces: ['text/plain'] },
    {
      execute: async ({ bytes }) => {
        ran += 1;
        return { status: 'ok', output: { ran }, file: file(Number(bytes)) };
      },
    },
  ),
];

let live: LiveServer;
beforeAll(async () => {
  live = await goLive(makeServer({ tools, settings: { keysConfigured: true } }).app);
});
afterAll(async () => live.close());

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}`;
interface Keyed {
  readonly idempotency: string;
  readonly args?: object;
  readonly query?: string;
  readonly accept?: string;
}
const invoke = async (name: string, keyed: Keyed): Promise<LiveAnswer> => {
  const { idempotency, args = {}, query = '', accept } = keyed;
  return live.ask(`POST /v1/tools/${name}/invoke${query}`, {
    key: runner,
    body: { arguments: args },
    headers: { 'idempotency-key': idempotency, ...(accept !== undefined && { accept }) },
  });
};

describe('a replayed file', () => {
  it('comes as the repeated call asks for it: in the envelope, as a link, as bytes', async () => {
    const idempotency = newKey();
    const args = { bytes: 5 };
    const before = ran;
    const link = await invoke('write', { idempotency, args, query: '?artifact=link' });
    expect(link.json['artifact'] as object).not.toHaveProperty('base64');
    const inline = await invoke('write', { idempotency, args });
    expect(inline.json['artifact']).toMatchObject({
      base64: Buffer.from('xxxxx').toString('base64'),
      size_bytes: 5,
    });
    expect(inline.json['download']).toEqual(link.json['download']);
    const bytes = await invoke('write', { idempotency, args, accept: 'text/plain' });
    expect([bytes.status, bytes.text, bytes.headers.get('idempotency-replayed')]).toEqual([
      200,
      'xxxxx',
      'true',
    ]);
    expect((await invoke('write', { idempotency, args, accept: 'image/png' })).status).toBe(406);
    expect(ran - before).toBe(1);
  });

  it('keeps to the inline limit, at it and above it', async () => {
    for (const [size, hasBytes] of [
      [100, true],
      [101, false],
    ] as const) {
      const idempotency = newKey();
      for (let count = 0; count < 2; count += 1) {
        const { json } = await invoke('write', { idempotency, args: { bytes: size } });
        expect('base64' in (json['artifact'] as object)).toBe(hasBytes);
      }
    }
  });

  it('is empty when it was empty', async () => {
    const idempotency = newKey();
    for (let count = 0; count < 2; count += 1) {
      const { json } = await invoke('write', { idempotency, args: { bytes: 0 } });
      expect(json['artifact']).toMatchObject({ base64: '', size_bytes: 0 });
    }
  });

  it('that is no longer kept is a conflict, and the tool does not run again', async () => {
    const short = await goLive(makeServer({ tools, broker: { artifactTtlMs: 50 } }).app);
    const post = async (): Promise<LiveAnswer> =>
      short.ask('POST /v1/tools/write/invoke', {
        body: { arguments: { bytes: 5 } },
        headers: { 'idempotency-key': 'k' },
      });
    expect((await post()).status).toBe(200);
    const before = ran;
    await sleep(150);
    const answer = await post();
    expect([answer.status, answer.json['error'], answer.json['message']]).toEqual([
      409,
      'CONFLICT',
      'The call with this Idempotency-Key ran, and its file is no longer kept.',
    ]);
    expect(ran).toBe(before);
    await short.close();
  });
});

describe('the form of an Idempotency-Key', () => {
  it('is 1 to 255 visible ASCII characters', async () => {
    for (const good of ['a', '!', '~', '"quoted"', 'k'.repeat(255)]) {
      expect((await invoke('count', { idempotency: good })).status).toBe(200);
    }
    for (const bad of ['', 'a b', 'k'.repeat(256), 'é', 'a\tb']) {
      const answer = await invoke('count', { idempotency: bad });
      expect([answer.status, answer.json['error']]).toEqual([400, 'INVALID_INPUT']);
      expect(answer.json['message']).toContain('Idempotency-Key must be 1 to 255 visible ASCII characters');
    }
  });

  it('stands once in a request', async () => {
    const answer = await exchange(live.port, [
      'POST /v1/tools/count/invoke HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' +
        `Authorization: Bearer ${runner}\r\nIdempotency-Key: a\r\nIdempotency-Key: a\r\nContent-Length: 0\r\n\r\n`,
    ]);
    const { status, body } = parseAnswer(answer);
    expect([status, JSON.parse(body)]).toEqual([
      400,
      expect.objectContaining({ message: 'The header idempotency-key stands twice; send it once.' }),
    ]);
  });
});
