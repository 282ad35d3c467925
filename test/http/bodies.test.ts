import { describe, expect, it } from 'vitest';

import { ask } from '../support/ask.ts';
import { makeServer } from '../support/server.ts';

const server = makeServer();
const INVOKE = 'POST /v1/tools/echo@1/invoke';
const BODY = '{"arguments":{"text":"hi"}}';

const send = async (contentType: string | undefined, body: string | Buffer = BODY) =>
  ask(server.app, INVOKE, {
    body,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
  });

describe('the media type of a body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
  ])('[D55] takes %s', async (contentType) => {
    expect((await send(contentType)).status).toBe(200);
  });

  it.each([
    undefined,
    '',
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json ;charset',
    'application/json; profile=x',
    'application/jsonx',
    'application/ld+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
    'json',
  ])('[D55] answers 415 to %s', async (contentType) => {
    const answer = await send(contentType);
    expect([answer.status, answer.json()['error']]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('[D56] answers 415 to a compressed body, whatever it says inside', async () => {
    for (const encoding of ['gzip', 'br', 'deflate, gzip']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expect((await ask(server.app, INVOKE, { body: BODY, headers })).status).toBe(415);
    }
  });
});

describe('what a body says', () => {
  const inside = (value: string): string => `{"arguments":{"text":${value}}}`;

  it.each([
    ['[D48] an integer that a double cannot hold', inside('12345678901234567890')],
    ['[D49] 1e999', inside('-1e999')],
    ['[D49] NaN', inside('NaN')],
    ['[D51] __proto__', '{"arguments":{"__proto__":{"polluted":1}}}'],
    ['[D51] an escaped __proto__', String.raw`{"arguments":{"\u005f_proto__":{"polluted":1}}}`],
    ['[D51] constructor.prototype', '{"constructor":{"prototype":{"polluted":1}}}'],
    ['[D52] 50,000 nested arrays', '['.repeat(50_000) + ']'.repeat(50_000)],
    ['[D52] 50,000 arrays nested in the arguments', inside('['.repeat(50_000) + ']'.repeat(50_000))],
    ['a key that stands twice', '{"arguments":{"text":"a"},"arguments":{}}'],
    ['nothing', ''],
  ])('answers 400 to %s, and nothing is logged or polluted', async (_what, body) => {
    const answer = await send('application/json', body);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'INVALID_INPUT']);
    expect({}).not.toHaveProperty('polluted');
    expect(server.logged).toEqual([]);
  });

  it('[D3] answers 400 to bytes that are no UTF-8, naming the byte', async () => {
    const latin = Buffer.from(inside('"caf\u00e9"'), 'latin1');
    expect((await send('application/json', latin)).json()['message']).toBe(
      'The body is not UTF-8 at byte 25.',
    );
    const wide = Buffer.from(`\uFEFF${BODY}`, 'utf16le');
    expect((await send('application/json', wide)).json()['message']).toBe('The body is not UTF-8 at byte 0.');
  });

  it('[D1] answers 400 to a byte order mark', async () => {
    expect((await send('application/json', `\uFEFF${BODY}`)).json()['message']).toContain('byte order mark');
  });

  it('reads a body of 800 kB at once and refuses what the tool cannot take', async () => {
    const since = performance.now();
    const wide = `{"arguments":{"text":"hi","x":[${'{"a":1},'.repeat(100_000)}0]}}`;
    expect((await send('application/json', wide)).status).toBe(413);
    expect(performance.now() - since).toBeLessThan(5_000);
  });
});
