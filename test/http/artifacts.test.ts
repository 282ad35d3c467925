import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { createMemoryArtifacts } from '../../src/state/memory/artifacts.ts';
import { ask, type Answer } from '../support/ask.ts';
import { makeServer, testKeys } from '../support/server.ts';

const { app } = makeServer({ settings: { maxUploadBytes: 1_000 } });
const CONTENT = 'name,count\nä,1\n';

const upload = async (
  name: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> => ask(app, `POST /v1/artifacts?name=${encodeURIComponent(name)}`, { body, headers });

async function put(body: string | Buffer = CONTENT, name = 'täble.csv'): Promise<string> {
  const answer = await upload(name, body, { 'content-type': 'text/csv; charset=utf-8' });
  return `/v1/artifacts/${String(answer.json()['artifact_id'])}`;
}

describe('POST /v1/artifacts', () => {
  it('keeps the bytes and says where', async () => {
    const answer = await upload('table.csv', CONTENT, { 'content-type': 'text/csv' });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({
      artifact_id: expect.stringMatching(/^[\w-]{22,}$/u) as string,
      size_bytes: 16,
      sha256: createHash('sha256').update(CONTENT).digest('hex'),
      expires_at: expect.any(String) as string,
    });
    expect(answer.headers['location']).toBe(`/v1/artifacts/${String(answer.json()['artifact_id'])}`);
  });

  it.each([
    ['Text/CSV; charset=latin1', 'text/csv; charset=utf-8'],
    ['APPLICATION/JSON', 'application/json'],
    ['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded'],
  ])('takes any media type, JSON too, as bytes: %s', async (given, kept) => {
    const { headers } = await ask(
      app,
      `GET ${String((await upload('a', '{"a":1,"a":2', { 'content-type': given })).headers['location'])}`,
    );
    expect(headers['content-type']).toBe(kept);
  });

  it('takes a body without a media type as bytes, and no body as an empty file', async () => {
    const { app: own } = makeServer();
    const stored = await own.inject({
      method: 'POST',
      url: '/v1/artifacts?name=a',
      headers: { host: 'localhost', 'content-length': '0' },
    });
    const empty = await ask(own, `GET ${String(stored.headers['location'])}`);
    expect([empty.status, empty.text, empty.headers['content-type']]).toEqual([
      200,
      '',
      'application/octet-stream',
    ]);
    const range = await ask(own, `GET ${String(stored.headers['location'])}`, {
      headers: { range: 'bytes=0-' },
    });
    expect([range.status, range.headers['content-range']]).toEqual([416, 'bytes */0']);
  });

  it('takes as many bytes as the limit and refuses one more', async () => {
    expect((await upload('a', Buffer.alloc(1_000))).status).toBe(201);
    const answer = await upload('a', Buffer.alloc(1_001));
    expect([answer.status, answer.json()['error']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(answer.headers['connection']).toBe('close');
  });

  it.each([
    'a/b',
    String.raw`a\b`,
    '..',
    '.',
    '',
    'a\nb',
    'a\u0000',
    '\u202Etxt.exe',
    'x'.repeat(201),
    '字'.repeat(86),
  ])('refuses the name %j', async (name) => {
    const answer = await upload(name, 'x');
    expect([answer.status, answer.json()['error']]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.json()['message']).toContain('query parameter name');
  });

  it('refuses a missing name, two names, an unknown parameter and a compressed body', async () => {
    for (const query of ['', '?name=a&name=b', '?name=a&x=1']) {
      expect((await ask(app, `POST /v1/artifacts${query}`, { body: 'x' })).status).toBe(400);
    }
    expect((await upload('a', 'x', { 'content-encoding': 'gzip' })).status).toBe(415);
  });
});

describe('GET and HEAD /v1/artifacts/{id}', () => {
  it('say of text that it is UTF-8 where all of it is, and say nothing else', async () => {
    const typesOf = async (body: string | Buffer, mediaType: string): Promise<(string | undefined)[]> => {
      const stored = await upload('a', body, { 'content-type': mediaType });
      const at = String(stored.headers['location']);
      const answers = [
        await ask(app, `GET ${at}`),
        await ask(app, `HEAD ${at}`),
        await ask(app, `GET ${at}`, { headers: { range: 'bytes=1-2' } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 206]);
      expect(answers[2]?.bytes).toEqual(Buffer.from(body).subarray(1, 3));
      return answers.map(({ headers }) => headers['content-type']);
    };
    const utf8 = 'text/plain; charset=utf-8';
    expect(await typesOf('äöü', 'text/plain')).toEqual([utf8, utf8, utf8]);
    const latin1 = Buffer.from('abcä', 'latin1');
    expect(await typesOf(latin1, 'text/plain')).toEqual(['text/plain', 'text/plain', 'text/plain']);
    const json = 'application/json';
    expect(await typesOf('{"a":1}', json)).toEqual([json, json, json]);
  });

  it('[S1.3-8] gives the bytes as an attachment that no browser renders', async () => {
    const answer = await ask(app, `GET ${await put()}`);
    expect([answer.status, answer.text]).toEqual([200, CONTENT]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': '16',
      'content-disposition': `attachment; filename="table.csv"; filename*=UTF-8''t%C3%A4ble.csv`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox/u) as string,
      etag: `"${createHash('sha256').update(CONTENT).digest('hex')}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    });
  });

  it('gives the same headers to HEAD, and no body', async () => {
    const path = await put();
    const { date: _a, ...got } = (await ask(app, `GET ${path}`)).headers;
    const head = await ask(app, `HEAD ${path}`);
    const { date: _b, ...looked } = head.headers;
    expect(looked).toEqual(got);
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it.each([
    ['a"b.txt', String.raw`attachment; filename="a\"b.txt"`],
    ['100%25.txt', `attachment; filename="100%25.txt"; filename*=UTF-8''100%2525.txt`],
    ['日本語.pdf', `attachment; filename="___.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E.pdf`],
    ['a;b.txt', 'attachment; filename="a;b.txt"'],
  ])('names %s in ASCII and in full', async (name, disposition) => {
    const answer = await ask(app, `GET ${await put('x', name)}`);
    expect(answer.headers['content-disposition']).toBe(disposition);
  });

  it.each([
    ['bytes=0-3', 'bytes 0-3/16', 'name'],
    ['bytes=11-', 'bytes 11-15/16', 'ä,1\n'],
    ['bytes=-2', 'bytes 14-15/16', '1\n'],
    ['bytes=14-900', 'bytes 14-15/16', '1\n'],
    ['bytes=0-0', 'bytes 0-0/16', 'n'],
  ])('[D91] answers Range: %s with 206 and %s', async (range, contentRange, text) => {
    const answer = await ask(app, `GET ${await put()}`, { headers: { range } });
    expect([answer.status, answer.headers['content-range'], answer.text]).toEqual([206, contentRange, text]);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  it.each(['bytes=16-', 'bytes=900-901', 'bytes=-0', 'bytes=x'])(
    '[D91] answers Range: %s with 416 and the size',
    async (range) => {
      const answer = await ask(app, `GET ${await put()}`, { headers: { range } });
      expect([answer.status, answer.json()['error'], answer.headers['content-range']]).toEqual([
        416,
        'RANGE_NOT_SATISFIABLE',
        'bytes */16',
      ]);
      expect(answer.headers).not.toHaveProperty('etag');
    },
  );

  it.each(['lines=0-1', 'bytes', 'bytes=0-1,4-5'])('gives the whole file for Range: %s', async (range) => {
    const answer = await ask(app, `GET ${await put()}`, { headers: { range } });
    expect([answer.status, answer.text]).toEqual([200, CONTENT]);
  });

  it('gives a range only of the file that If-Range means, and none to HEAD', async () => {
    const path = await put();
    const etag = (await ask(app, `HEAD ${path}`)).headers['etag'] ?? '';
    const range = 'bytes=0-3';
    expect((await ask(app, `GET ${path}`, { headers: { range, 'if-range': etag } })).status).toBe(206);
    expect((await ask(app, `GET ${path}`, { headers: { range, 'if-range': '"other"' } })).status).toBe(200);
    expect((await ask(app, `HEAD ${path}`, { headers: { range } })).status).toBe(200);
  });

  it('answers 304 to its ETag', async () => {
    const path = await put();
    const etag = (await ask(app, `GET ${path}`)).headers['etag'] ?? '';
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(app, `${method} ${path}`, { headers: { 'if-none-match': etag } });
      expect([answer.status, answer.text, answer.headers['etag']]).toEqual([304, '', etag]);
    }
  });

  it("[D91] gives the same 404 for unknown, guessed, expired and another caller's", async () => {
    const mine = await put();
    const { app: forgetful } = makeServer({ settings: { artifactTtlMs: 1 } });
    const gone = String(
      (await ask(forgetful, 'POST /v1/artifacts?name=a', { body: 'x' })).headers['location'],
    );
    await new Promise((resolve) => setTimeout(resolve, 30));
    const bodies = [
      await ask(app, 'GET /v1/artifacts/unknown'),
      await ask(app, `GET ${mine}x`),
      await ask(app, 'GET /v1/artifacts/..%2f..%2fpackage.json'),
      await ask(app, 'GET /v1/artifacts/__proto__'),
      await ask(app, `GET ${mine}`, { key: testKeys.runner }),
      await ask(app, `GET ${mine}`, { key: testKeys.operator }),
      await ask(forgetful, `GET ${gone}`),
    ].map((answer) => Object.assign(answer.json(), { request_id: '', status: answer.status }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ status: 404, error: 'NOT_FOUND' });
    expect((await ask(app, `HEAD ${mine}`, { key: testKeys.other })).status).toBe(404);
    expect((await ask(app, `GET ${mine}`)).status).toBe(200);
  });

  it('[D91] answers 404 when the file goes between being found and being read', async () => {
    const artifacts = createMemoryArtifacts({ maxBytes: 100_000 });
    const { app: own } = makeServer({ deps: { artifacts: { ...artifacts, read: async () => undefined } } });
    const path = String((await ask(own, 'POST /v1/artifacts?name=a', { body: 'x' })).headers['location']);
    const answer = await ask(own, `GET ${path}`);
    expect([answer.status, answer.headers['content-disposition']]).toEqual([404, undefined]);
  });
});
