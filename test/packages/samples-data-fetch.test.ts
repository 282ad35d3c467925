import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { describe, expect, it, onTestFinished } from 'vitest';

import { isAllowedHost } from '../../tool-packages/data-fetch/src/allowed-hosts.ts';
import { fetchText, type FetchRules } from '../../tool-packages/data-fetch/src/fetch-text.ts';
import { isPublicAddress } from '../../tool-packages/data-fetch/src/public-address.ts';
import { readTable, type Table } from '../../tool-packages/data-fetch/src/read-table.ts';
import {
  NeedsAction,
  Retryable,
  ToolError,
} from '../../tool-packages/sdk/typescript/src/tool-package-sdk.ts';

/** A server on this machine; gives its `host:port`. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Lets a test reach its own server, and nothing else that is private. */
const OWN_SERVER: FetchRules = { isAllowedAddress: (address) => address === '127.0.0.1' };

async function fetchError(url: string, allowed: string, rules?: FetchRules): Promise<unknown> {
  return fetchText(new URL(url), allowed, rules).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('which hosts data-fetch goes to', () => {
  it.each([
    ['https://a.example/x', 'a.example', true],
    ['https://A.EXAMPLE./x', 'b.example, a.example', true],
    ['http://a.example:80/x', 'a.example', true],
    ['http://a.example:8080/x', 'a.example:8080', true],
    ['http://a.example:8080/x', 'a.example', false],
    ['https://sub.a.example/x', 'a.example', false],
    ['https://a.example.evil.org/x', 'a.example', false],
    ['https://a.example/x', '', false],
    ['https://a.example/x', '*', false],
    ['https://a.example/x', '*.example', false],
    ['https://a.example@evil.org/x', 'a.example', false],
  ])('%s with TOOL_ALLOWED_HOSTS=%j: %s', (url, list, expected) => {
    expect(isAllowedHost(new URL(url), list)).toBe(expected);
  });

  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '100.64.0.1',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0::1',
    'not an address',
    '',
  ])('the address %s is not of the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['8.8.8.8', '93.184.216.34', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'the address %s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it('a host that is not granted needs a person, and the message names it', async () => {
    const error = await fetchError('https://a.example/x.csv', 'b.example');

    expect(error).toBeInstanceOf(NeedsAction);
    expect((error as Error).message).toContain('Ask the operator to grant a.example');
  });

  it.each([
    ['a loopback address', (host: string) => `http://${host}/`],
    ['a loopback name', (host: string) => `http://localhost:${host.split(':')[1] ?? ''}/`],
    ['an address written as one number', (host: string) => `http://2130706433:${host.split(':')[1] ?? ''}/`],
    [
      'an address mapped into IPv6',
      (host: string) => `http://[::ffff:127.0.0.1]:${host.split(':')[1] ?? ''}/`,
    ],
  ])('%s is refused before anything is sent, though it is granted', async (_title, urlOf) => {
    let requests = 0;
    const host = await serve((_request, response) => {
      requests += 1;
      response.end('a\n1\n');
    });
    const url = urlOf(host);

    const error = await fetchError(url, new URL(url).host.replace('[', '').replace(']', ''));

    expect(error).toBeInstanceOf(ToolError);
    expect(requests).toBe(0);
  });

  it('a redirect to a host that is not granted is refused, and one to a private address too', async () => {
    const inner = await serve((_request, response) => response.end('secret\n'));
    const toOther = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://b.example/' }).end(),
    );
    const toInner = await serve((_request, response) =>
      response.writeHead(307, { location: `http://localhost:${inner.split(':')[1] ?? ''}/` }).end(),
    );
    const granted = `${toOther},${toInner},localhost:${inner.split(':')[1] ?? ''}`;
    let asked = 0;
    const once: FetchRules = { isAllowedAddress: (address) => address === '127.0.0.1' && (asked += 1) <= 1 };

    expect(await fetchError(`http://${toOther}/`, granted, OWN_SERVER)).toBeInstanceOf(NeedsAction);
    const error = await fetchError(`http://${toInner}/`, granted, once);
    expect((error as Error).message).toContain('not on the public internet');
  });

  it.each(['file:///etc/passwd', 'ftp://a.example/', 'javascript:1'])(
    'a redirect to %s is refused',
    async (location) => {
      const host = await serve((_request, response) => response.writeHead(301, { location }).end());

      expect((await fetchError(`http://${host}/`, host, OWN_SERVER)) as Error).toMatchObject({ exitCode: 1 });
    },
  );
});

describe('what data-fetch takes', () => {
  it('the text and its media type, after up to five redirects', async () => {
    const host = await serve((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop > 0) response.writeHead(302, { location: `/${hop - 1}` }).end();
      else response.setHeader('content-type', 'Text/CSV; charset=utf-8').end('a,b\n1,2\n');
    });

    expect(await fetchText(new URL(`http://${host}/5`), host, OWN_SERVER)).toEqual({
      text: 'a,b\n1,2\n',
      mediaType: 'text/csv',
    });
    expect(await fetchError(`http://${host}/6`, host, OWN_SERVER)).toMatchObject({
      message: expect.stringContaining('more than 5 times') as string,
    });
  });

  it('as many bytes as it may, and not one more, declared or not', async () => {
    const host = await serve((request, response) => {
      for (let left = Number(request.url?.slice(1)); left > 0; left -= 1) response.write('x');
      response.end();
    });
    const rules = { ...OWN_SERVER, maxBodyBytes: 100 };

    expect((await fetchText(new URL(`http://${host}/100`), host, rules)).text).toHaveLength(100);
    expect(await fetchError(`http://${host}/101`, host, rules)).toMatchObject({ exitCode: 1 });
  });

  it('no longer than it may', async () => {
    const host = await serve((_request, response) => response.write('a\n'));

    const error = await fetchError(`http://${host}/`, host, { ...OWN_SERVER, totalMs: 150 });

    expect(error).toBeInstanceOf(Retryable);
    expect((error as Error).message).toContain('took too long');
  });

  it.each([
    [401, 3],
    [403, 3],
    [404, 2],
    [410, 2],
    [418, 1],
    [429, 2],
    [500, 2],
    [503, 2],
  ])('no answer of status %i: exit code %i', async (status, exitCode) => {
    const host = await serve((_request, response) => response.writeHead(status).end('x'));

    expect(await fetchError(`http://${host}/`, host, OWN_SERVER)).toMatchObject({ exitCode });
  });

  it('nothing compressed, nothing that is not UTF-8, nothing from a port where no one listens', async () => {
    const zipped = await serve((_request, response) =>
      response.setHeader('content-encoding', 'gzip').end('x'),
    );
    const latin = await serve((_request, response) => response.end(Buffer.from([0xe9])));

    expect(await fetchError(`http://${zipped}/`, zipped, OWN_SERVER)).toMatchObject({ exitCode: 1 });
    expect(await fetchError(`http://${latin}/`, latin, OWN_SERVER)).toMatchObject({ exitCode: 1 });
    expect(await fetchError('http://127.0.0.1:9/', '127.0.0.1:9', OWN_SERVER)).toBeInstanceOf(Retryable);
  });
});

describe('how data-fetch reads a table', () => {
  it.each<[string, [text: string, mediaType: string], Table]>([
    [
      'CSV with a byte order mark',
      ['\uFEFFa,b\n1,2\n', 'text/csv'],
      { csv: 'a,b\n1,2\n', rows: 1, columns: ['a', 'b'] },
    ],
    ['CSV of no named type', ['a;b\n1;2\n', 'text/plain'], { csv: 'a;b\n1;2\n', rows: 1, columns: ['a;b'] }],
    [
      'JSON rows with different members',
      ['[{"a":1,"b":"x,y"},{"c":true,"a":null}]', 'application/json'],
      { csv: 'a,b,c\n1,"x,y",\n,,true\n', rows: 2, columns: ['a', 'b', 'c'] },
    ],
    ['JSON of no named type', [' [{"a":1}]', ''], { csv: 'a\n1\n', rows: 1, columns: ['a'] }],
  ])('%s', (_title, given, table) => {
    expect(readTable(...given)).toEqual(table);
  });

  it.each([
    ['a web page', '<!DOCTYPE html><p>', 'text/html'],
    ['a JSON object', '{"a":1}', 'application/json'],
    ['an empty JSON list', '[]', 'application/json'],
    ['nested JSON', '[{"a":{"b":1}}]', 'application/json'],
    ['broken JSON', '[{', 'application/json'],
    ['rows of different width', 'a,b\n1\n', 'text/csv'],
    ['nothing', '', 'text/csv'],
  ])('refuses %s', (_title, text, type) => {
    expect(() => readTable(text, type)).toThrow(ToolError);
  });
});
