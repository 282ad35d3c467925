import { describe, expect, it } from 'vitest';

import { accepts, chooseRepresentation } from '../../src/http/choose-representation.ts';
import { ask } from '../support/ask.ts';
import { makeServer } from '../support/server.ts';

describe('the parameters of Accept', () => {
  it.each([
    'application/json; charset=utf-8',
    'application/json;charset="utf-8"',
    'text/html;x="a,b;q=0", Application/JSON;profile="x;y,z";q=0.5',
    'application/json;charset=utf-8;q=0.1, text/plain;charset=utf-8',
    'application/json;x="never closed',
  ])('other than q do not matter: %s allows JSON', (accept) => {
    expect(accepts(accept, 'application/json')).toBe(true);
    expect(chooseRepresentation(accept, ['text/plain'])).toBe('application/json');
  });

  it('keep their q, in any case and with spaces', () => {
    expect(accepts('application/json;charset=utf-8;q=0', 'application/json')).toBe(false);
    expect(accepts('application/json; Q=0; charset=utf-8', 'application/json')).toBe(false);
    expect(chooseRepresentation('text/plain;charset=utf-8', ['text/plain'])).toBe('text/plain');
    const ranges = 'text/plain;charset=utf-8;q=0.2, text/csv;header=present; q=0.3';
    expect(chooseRepresentation(ranges, ['text/plain', 'text/csv'])).toBe('text/csv');
  });

  it.each(['POST /v1/tools/echo@1/invoke', 'GET /v1/tools/echo@1'])('give no 406 at %s', async (route) => {
    const { app } = makeServer();
    const headers = { accept: 'application/json; charset=utf-8' };
    const body = route.startsWith('POST') ? { arguments: { text: 'hi' } } : undefined;
    expect((await ask(app, route, { headers, ...(body && { body }) })).status).toBe(200);
  });
});
