import { describe, expect, it } from 'vitest';

import { ask } from '../support/ask.ts';
import { makeServer, testKeys } from '../support/server.ts';

const open = makeServer().app;
const keyed = makeServer({ settings: { keysConfigured: true } }).app;

describe('a path that no route can be asked for', () => {
  it.each([
    [`GET /v1/tools/${'a'.repeat(257)}`, 414],
    ['GET /v1/tools/%ff', 400],
  ])('is refused like any other: %s', async (line, status) => {
    for (const app of [open, keyed]) {
      const answer = await ask(app, line);
      expect(answer.status).toBe(status);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['cache-control']).toBe('private, no-cache');
      expect((await ask(app, line, { key: 'wrong' })).status).toBe(401);
      expect((await ask(app, line, { key: testKeys.runner })).status).toBe(status);
      expect((await ask(app, line, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    }
    expect((await ask(open, line, { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('is answered, too, when who is calling cannot be found out', async () => {
    for (const identify of [
      async () => Promise.reject(new Error('gone')),
      () => {
        throw new Error('gone');
      },
    ]) {
      const broken = makeServer({ deps: { identify } });
      const answer = await ask(broken.app, 'GET /v1/tools/%ff', { key: testKeys.runner });
      expect([answer.status, answer.json()['error']]).toEqual([500, 'INTERNAL']);
      expect(broken.logged).toHaveLength(1);
    }
  });
});
