import { describe, expect, it } from 'vitest';

import type { ToolResult } from '../../src/core/tool.ts';
import { ask, type Answer } from '../support/ask.ts';
import { makeServer } from '../support/server.ts';
import { makeTool } from '../support/tools.ts';

const anything = { inputSchema: { type: 'object' } };
const text = (content: string, name = 'résumé.txt'): ToolResult => ({
  status: 'ok',
  output: { made: true },
  file: { name, mediaType: 'text/plain', bytes: Buffer.from(content) },
});
const tools = [
  makeTool(),
  makeTool(
    { ...anything, name: 'write', kind: 'skill', produces: ['text/plain', 'image/png'] },
    { execute: async () => text('hello') },
  ),
  makeTool(
    { ...anything, name: 'write_100', produces: ['text/plain'] },
    { execute: async () => text('x'.repeat(100)) },
  ),
  makeTool(
    { ...anything, name: 'write_101', produces: ['text/plain'] },
    { execute: async () => text('x'.repeat(101)) },
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
    { ...anything, name: 'silent', produces: ['text/plain'] },
    { execute: async () => ({ status: 'ok', output: { made: false } }) },
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

describe('the file of a call', () => {
  it('[S1-4, S1-5] comes in the envelope and as a download', async () => {
    const { artifact, download, output } = (await invoke('write')).json();
    expect(output).toEqual({ made: true });
    expect(artifact).toEqual({
      name: 'résumé.txt',
      media_type: 'text/plain',
      base64: 'aGVsbG8=',
      size_bytes: 5,
    });
    expect(download).toEqual({
      artifact_id: expect.stringMatching(/^[\w-]{22,}$/u) as string,
      url: expect.stringMatching(/^\/v1\/artifacts\/[\w-]+$/u) as string,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
    });
    expect((await ask(app, `GET ${(download as { url: string }).url}`)).text).toBe('hello');
  });

  it('[D87] is linked with artifact=link and above the inline limit, in one shape without base64', async () => {
    const at = (await invoke('write_100')).json()['artifact'];
    const above = (await invoke('write_101')).json()['artifact'];
    const linked = (await ask(app, 'POST /v1/tools/write/invoke?artifact=link')).json();
    expect(at).toMatchObject({ size_bytes: 100, base64: expect.any(String) as string });
    expect(above).toEqual({ name: 'résumé.txt', media_type: 'text/plain', size_bytes: 101 });
    expect(linked['artifact']).toEqual({ name: 'résumé.txt', media_type: 'text/plain', size_bytes: 5 });
    expect(linked['download']).toHaveProperty('url');
  });

  it.each([
    'text/plain',
    'text/*',
    'text/plain;q=0.1, image/webp',
    'image/png, text/plain',
    'text/plain, */*;q=0',
  ])('is the answer itself for Accept: %s, as an attachment that no browser renders', async (accept) => {
    const answer = await invoke('write', undefined, { accept });
    expect([answer.status, answer.text]).toEqual([200, 'hello']);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '5',
      'content-disposition': `attachment; filename="resume.txt"; filename*=UTF-8''r%C3%A9sum%C3%A9.txt`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox/u) as string,
    });
  });

  it.each([
    '*/*',
    'text/plain, */*',
    'text/plain, application/json',
    'text/plain, application/*;q=0.1',
    'application/json, text/plain, */*',
  ])('stays in the JSON for Accept: %s', async (accept) => {
    expect((await invoke('write', undefined, { accept })).json()).toMatchObject({ ok: true });
  });

  it.each([
    ['write', 'application/pdf'],
    ['echo', 'text/plain'],
    ['write', 'garbage'],
  ])('is refused with 406 before anything runs: %s for Accept: %s', async (name, accept) => {
    const before = server.audited.length;
    const answer = await invoke(name, { arguments: { text: 'hi' } }, { accept });
    expect([answer.status, answer.json()['error']]).toEqual([406, 'NOT_ACCEPTABLE']);
    expect(server.audited.slice(before).map(({ outcome, run_ms: ran }) => [outcome, ran])).toEqual([
      ['NOT_ACCEPTABLE', 0],
    ]);
  });

  it.each([
    ['fail', { ok: false, error: 'TOOL_RETRY' }],
    ['silent', { ok: true, output: { made: false } }],
  ])('is missing: %s answers 422 with the same JSON, so that curl -f saves nothing', async (name, body) => {
    const answer = await invoke(name, undefined, { accept: 'text/plain' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject(body);
  });

  it('is not sent as a type that Accept does not allow, though the tool may produce it', async () => {
    const answer = await invoke('write', undefined, { accept: 'image/png' });
    expect(answer.status).toBe(422);
    expect(answer.json()).toMatchObject({ ok: true, download: {} });
  });
});
