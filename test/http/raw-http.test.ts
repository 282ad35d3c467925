import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exchange, listen, parseAnswer, type Part, type RawAnswer } from '../support/raw-http.ts';
import { makeServer, type TestServer } from '../support/server.ts';

const BODY = '{"arguments":{"text":"hi"}}';
const HEAD =
  'POST /v1/tools/echo@1/invoke HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n';

let server: TestServer;
let port: number;

beforeAll(async () => {
  server = makeServer({ settings: { timeouts: { headersMs: 300, requestMs: 600, checkMs: 50 } } });
  port = await listen(server.app);
});
afterAll(() => server.app.close());

async function send(...parts: Part[]): Promise<RawAnswer> {
  return parseAnswer(await exchange(port, parts));
}

function expectError(answer: RawAnswer, status: number, code: string): Record<string, unknown> {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.body));
  const body = JSON.parse(answer.body) as Record<string, unknown>;
  expect(body).toMatchObject({
    ok: false,
    error: code,
    message: expect.any(String) as string,
    resolution: expect.any(String) as string,
    retryable: expect.any(Boolean) as boolean,
  });
  return body;
}

describe('what Node answers by itself has our shape', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', 'FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a header without a name', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n'],
    ['two lengths', `${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`],
    ['a length and chunks', `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a broken chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  ])('[S1.3-11] answers %s with 400 and closes', async (_what, text) => {
    const answer = await send(text);
    const body = expectError(answer, 400, 'INVALID_INPUT');
    expect(answer.headers['connection']).toBe('close');
    expect(body).not.toHaveProperty('request_id');
  });

  it('answers headers over 16 KiB with 431', async () => {
    const answer = await send(
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`,
    );
    expectError(answer, 431, 'HEADERS_TOO_LARGE');
    expect(answer.headers['connection']).toBe('close');
  });

  it('answers CONNECT with 405 and closes', async () => {
    const answer = await send('CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['connection']).toBe('close');
    expect(answer.headers['allow']).toBe('GET, HEAD, POST, DELETE');
  });

  it('answers a head that does not arrive with 408', async () => {
    const body = expectError(
      await send('GET /healthz HTTP/1.1\r\nHost: local', 2_000),
      408,
      'REQUEST_TIMEOUT',
    );
    expect(body['retryable']).toBe(true);
  });

  it('[D56] answers a body that does not arrive with 408', async () => {
    const answer = await send(`${HEAD}Content-Length: 100\r\n\r\n{"argu`, 2_500);
    expectError(answer, 408, 'REQUEST_TIMEOUT');
    expect(server.logged).toEqual([]);
  });

  it('answers a missing Host with 400', async () => {
    const body = expectError(
      await send('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'INVALID_INPUT',
    );
    expect(body['message']).toContain('Host');
    expect(body).toHaveProperty('request_id');
  });

  it.each([
    ['a wrong credential', 'Authorization: Bearer wrong', 401],
    ['a second Host', 'Host: localhost', 400],
    ['a foreign Origin', 'Origin: https://evil.example', 403],
  ])('sees %s after 2,000 other headers', async (_what, header, status) => {
    const filler = 'a:\r\n'.repeat(2_000);
    const text = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${filler}${header}\r\n\r\n`;
    expect((await send(text)).status).toBe(status);
  });

  it('answers two Hosts and two Authorizations with 400', async () => {
    for (const header of ['Host: localhost', 'Authorization: Bearer runner-key']) {
      const text = `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${header}\r\nAuthorization: Bearer runner-key\r\nConnection: close\r\n\r\n`;
      const body = expectError(await send(text), 400, 'INVALID_INPUT');
      expect(body['message']).toMatch(/stands twice/u);
    }
  });

  it('refuses an absolute target, whose host would not be the one that was checked', async () => {
    const text = 'GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const body = expectError(await send(text), 400, 'INVALID_INPUT');
    expect(body['message']).toContain('path that starts with a slash');
  });

  it('answers an expectation that nobody can meet with 400', async () => {
    const text = `${HEAD}Expect: 200-ok\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
    const body = expectError(await send(text), 400, 'INVALID_INPUT');
    expect(body['message']).toContain('Expect');
  });

  it('[D56] answers 100-continue and then the request', async () => {
    const text = await exchange(port, [
      `${HEAD}Expect: 100-continue\r\nContent-Length: ${BODY.length}\r\n\r\n`,
      100,
      BODY,
    ]);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/u);
  });

  it('[D56] refuses an announced body over the limit before it is sent, without 100', async () => {
    const text = await exchange(port, [`${HEAD}Expect: 100-continue\r\nContent-Length: 1048577\r\n\r\n`]);
    expect(text).not.toContain('100 Continue');
    expectError(parseAnswer(text), 413, 'PAYLOAD_TOO_LARGE');
  });
});

describe('the size of a body', () => {
  const padded = (bytes: number): string => BODY + ' '.repeat(bytes - BODY.length);
  const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

  it('[D56] takes 1,048,576 bytes and refuses one more', async () => {
    expect((await send(`${HEAD}Content-Length: 1048576\r\n\r\n`, padded(1_048_576))).status).toBe(200);
    expectError(await send(`${HEAD}Content-Length: 1048577\r\n\r\n`), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('[D56] counts chunks without an announced length', async () => {
    expect((await send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, chunked(padded(1_048_576)))).status).toBe(
      200,
    );
    expectError(
      await send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, chunked(padded(1_048_577))),
      413,
      'PAYLOAD_TOO_LARGE',
    );
  });

  it('refuses a body that is shorter than announced when the client gives up, and logs nothing', async () => {
    await exchange(port, [`${HEAD}Content-Length: 100\r\n\r\n{"a"`, 50]).catch(() => {});
    expect(server.logged).toEqual([]);
  });
});

describe('stopping', () => {
  it('answers a request on an open connection with OVERLOADED, and /healthz still', async () => {
    const { app } = makeServer({
      tools: [],
      deps: { invoke: async () => new Promise((resolve) => setTimeout(() => resolve(OUTCOME), 500)) },
    });
    const own = await listen(app);
    const request = (path: string, last: string): string =>
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${last}\r\n`;
    const call = `POST /v1/tools/x/invoke HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`;
    const talking = exchange(own, [
      call,
      200,
      request('/v1/tools', ''),
      10,
      request('/healthz', 'Connection: close\r\n'),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await app.close();
    const answers = (await talking).split(/(?=HTTP\/1\.1 )/u);
    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(
      ['200', '503', '200'].slice(0, answers.length),
    );
    expect(answers[1]).toMatch(/retry-after: 5[\s\S]*"error":"OVERLOADED"[\s\S]*"retry_after":5/iu);
  });
});

const OUTCOME = {
  ok: true,
  invocationId: 'i',
  ref: 'x@1',
  output: {},
  delivery: 'inline',
  durationMs: 1,
  quotas: [],
  replayed: false,
} as const;
