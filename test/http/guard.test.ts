import { describe, expect, it } from 'vitest';

import { ask } from '../support/ask.ts';
import { makeServer, testKeys } from '../support/server.ts';

const open = makeServer().app;
const keyed = makeServer({ settings: { keysConfigured: true } }).app;
const PUBLIC = ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/static/swagger-ui.css'];
const CLOSED = ['/v1/tools', '/v1/tools/echo', '/v1/artifacts/x', '/v1/admin/catalog'];

describe('who may call', () => {
  it('needs no credential on public routes, and one on all others, where keys are configured', async () => {
    for (const path of PUBLIC) expect((await ask(keyed, `GET ${path}`)).status).toBe(200);
    for (const path of CLOSED) {
      const answer = await ask(keyed, `GET ${path}`);
      expect([path, answer.status, answer.json()['error']]).toEqual([path, 401, 'UNAUTHENTICATED']);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="tool-broker"');
    }
  });

  it('answers 401 to a credential that is presented and wrong, on every route, public and unknown ones too', async () => {
    for (const app of [open, keyed]) {
      for (const path of [...PUBLIC, ...CLOSED, '/nowhere']) {
        const answer = await ask(app, `GET ${path}`, { key: 'wrong' });
        expect([path, answer.status]).toEqual([path, 401]);
        expect(answer.headers['www-authenticate']).toBe('Bearer realm="tool-broker", error="invalid_token"');
      }
    }
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic cnVubmVyLWtleQ==',
    'runner-key',
    'Bearer runner-key x',
    'Bearer "runner-key"',
    'Bearer,runner-key',
  ])('answers 401 to the header %j and does not show it', async (authorization) => {
    const answer = await ask(open, 'GET /v1/tools', { headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain('runner-key');
  });

  it('takes the scheme in any case', async () => {
    const headers = { authorization: `bEARER ${testKeys.runner}` };
    expect((await ask(keyed, 'GET /v1/tools', { headers })).status).toBe(200);
  });

  it('never takes a key from the query', async () => {
    for (const name of ['api_key', 'access_token', 'key']) {
      const answer = await ask(keyed, `GET /v1/tools?${name}=${testKeys.runner}`);
      expect(answer.status).toBe(401);
      const withKey = await ask(keyed, `GET /v1/tools?${name}=${testKeys.runner}`, { key: testKeys.runner });
      expect(withKey.status).toBe(400);
      expect(withKey.text).not.toContain(testKeys.runner);
    }
  });

  it('keeps runners, anonymous ones too, off the operator routes', async () => {
    expect((await ask(open, 'GET /v1/admin/catalog')).json()['error']).toBe('FORBIDDEN');
    expect((await ask(keyed, 'GET /v1/admin/catalog', { key: testKeys.runner })).status).toBe(403);
    for (const app of [open, keyed]) {
      expect((await ask(app, 'GET /v1/admin/catalog', { key: testKeys.operator })).status).toBe(200);
    }
  });

  it.each(['POST /v1/tools/echo/invoke', 'POST /v1/artifacts?name=a.txt', 'POST /v1/runs'])(
    'keeps a caller who is an operator only off %s',
    async (line) => {
      const body = line.includes('artifacts') ? 'text' : { arguments: { text: 'hi' } };
      const asked = line.endsWith('runs') ? {} : { body };
      const answer = await ask(keyed, line, { ...asked, key: testKeys.onlyOperator });
      expect([answer.status, answer.json()['error']]).toEqual([403, 'FORBIDDEN']);
      expect(answer.json()['message']).toBe('This route is for runners; this credential is not one.');
      for (const key of [testKeys.runner, testKeys.operator]) {
        expect((await ask(keyed, line, { ...asked, key })).status).toBeLessThan(300);
      }
    },
  );

  it('lets a caller who is an operator only look', async () => {
    for (const path of ['/v1/tools', '/v1/tools/echo', '/v1/admin/catalog']) {
      expect((await ask(keyed, `GET ${path}`, { key: testKeys.onlyOperator })).status).toBe(200);
    }
  });

  it('keeps answers that depend on the credential out of shared caches', async () => {
    for (const path of ['/v1/tools', '/v1/tools/nothing', '/v1/artifacts/x']) {
      const { headers } = await ask(open, `GET ${path}`);
      expect(headers['cache-control']).toBe('private, no-cache');
      expect(headers['vary']).toBe('Authorization, Accept');
    }
    const { headers } = await ask(open, 'GET /openapi.json');
    expect([headers['cache-control'], headers['vary']]).toEqual(['private, no-cache', 'Authorization']);
  });
});

describe('Host', () => {
  const status = async (app: typeof open, host: string): Promise<number> =>
    (await ask(app, 'GET /openapi.json', { headers: { host } })).status;

  it.each(['localhost', 'localhost:8080', 'LOCALHOST', '127.0.0.1:1', '127.1.2.3', '[::1]', '[::1]:8080'])(
    'takes the loopback name %s without keys',
    async (host) => expect(await status(open, host)).toBe(200),
  );

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    'localhost:80@evil',
    '0.0.0.0',
    '[::2]',
    '127.0.0.1:99999999',
    'local host',
  ])('[D97] refuses %s without keys', async (host) => {
    const answer = await ask(open, 'GET /v1/tools', { headers: { host } });
    expect([answer.status, answer.json()['error']]).toEqual([403, 'FORBIDDEN']);
  });

  it.each(['/healthz', '/readyz'])(
    'lets a probe of %s name the host as it likes, where keys are configured',
    async (path) => {
      const { app } = makeServer({ settings: { keysConfigured: true, allowedHosts: ['broker.example'] } });
      expect((await ask(app, `GET ${path}`, { headers: { host: '10.0.0.7:8080' } })).status).toBe(200);
      expect((await ask(open, `GET ${path}`, { headers: { host: '10.0.0.7:8080' } })).status).toBe(403);
    },
  );

  it('takes any name with keys, and only the allowed ones where they are listed', async () => {
    expect(await status(keyed, 'broker.example')).toBe(200);
    expect(await status(keyed, 'a/b')).toBe(403);
    const { app } = makeServer({
      settings: { keysConfigured: true, allowedHosts: ['Broker.example', 'other:8443'] },
    });
    expect(await status(app, 'broker.EXAMPLE')).toBe(200);
    expect(await status(app, 'broker.example:8080')).toBe(200);
    expect(await status(app, 'other:8443')).toBe(200);
    expect(await status(app, 'other:8444')).toBe(403);
    expect(await status(app, 'localhost')).toBe(403);
  });
});

describe('Origin', () => {
  const post = async (app: typeof open, origin: string, host = 'localhost:8080'): Promise<number> =>
    (await ask(app, 'GET /v1/tools', { key: testKeys.runner, headers: { origin, host } })).status;

  it('takes its own, whatever the scheme', async () => {
    expect(await post(open, 'http://localhost:8080')).toBe(200);
    expect(await post(keyed, 'https://broker.example', 'broker.example')).toBe(200);
    expect(await post(keyed, 'https://broker.example', 'broker.example:443')).toBe(200);
  });

  it.each([
    'https://evil.example',
    'http://localhost:8081',
    'null',
    'file://',
    'http://localhost:8080.evil.example',
    'x',
  ])('[D97] refuses %s, with keys and without', async (origin) => {
    expect(await post(open, origin)).toBe(403);
    expect(await post(keyed, origin)).toBe(403);
  });

  it('takes the allowed ones', async () => {
    const { app } = makeServer({ settings: { allowedOrigins: ['https://app.example'] } });
    expect(await post(app, 'https://app.example')).toBe(200);
    expect(await post(app, 'https://app.example.evil')).toBe(403);
  });
});

describe('paths and methods', () => {
  it.each([
    ['DELETE /v1/tools', 'GET'],
    ['HEAD /v1/tools', 'GET'],
    ['OPTIONS /v1/tools', 'GET'],
    ['GET /v1/tools/echo@1/invoke', 'POST'],
    ['GET /v1/artifacts', 'POST'],
    ['POST /v1/artifacts/x', 'GET, HEAD'],
    ['PUT /v1/tools/echo?x=1', 'GET'],
    ['TRACE /healthz', 'GET'],
  ])('answers %s with 405 and Allow: %s', async (line, allow) => {
    const answer = await ask(open, line, line.startsWith('HEAD') ? {} : { headers: {} });
    expect([answer.status, answer.headers['allow']]).toEqual([405, allow]);
    expect(answer.json()).toMatchObject({ ok: false, error: 'METHOD_NOT_ALLOWED', retryable: false });
  });

  it.each([
    'GET /',
    'GET /v1',
    'GET /v1/tools/',
    'POST /v2/tools',
    'GET /metrics',
    'GET /docs/json',
    'GET /docs/yaml',
    'GET /docs/static/nothing.js',
  ])('answers %s with 404', async (line) => {
    const answer = await ask(open, line);
    expect([answer.status, answer.json()['error']]).toEqual([404, 'NOT_FOUND']);
  });

  it('does not read a body for a path that is not there', async () => {
    const answer = await ask(open, 'POST /nothing', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(404);
  });

  it('takes a ref of 256 characters for unknown, and answers 414 to one of 257', async () => {
    expect((await ask(open, `GET /v1/tools/${'a'.repeat(256)}`)).status).toBe(404);
    const answer = await ask(open, `GET /v1/tools/${'a'.repeat(257)}`);
    expect([answer.status, answer.json()['error']]).toEqual([414, 'URI_TOO_LONG']);
    expect(answer.json()).toHaveProperty('request_id');
  });

  it('answers a broken percent escape with 400', async () => {
    const answer = await ask(open, 'GET /v1/tools/%E9');
    expect([answer.status, answer.json()['error']]).toEqual([400, 'INVALID_INPUT']);
  });

  it('lets nothing but its own files out of /docs/static', async () => {
    for (const path of ['../package.json', '..%2fpackage.json', '%2e%2e/package.json', '..%5cpackage.json']) {
      const answer = await ask(open, `GET /docs/static/${path}`);
      expect([path, answer.status < 500 && answer.status >= 400]).toEqual([path, true]);
      expect(answer.json()).toMatchObject({ ok: false });
    }
  });

  it('sends nosniff with every answer', async () => {
    for (const path of ['/healthz', '/v1/tools', '/nothing', '/docs', '/openapi.json']) {
      expect((await ask(open, `GET ${path}`)).headers['x-content-type-options']).toBe('nosniff');
    }
  });
});
