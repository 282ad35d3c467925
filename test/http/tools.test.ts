import { describe, expect, it } from 'vitest';

import { ask } from '../support/ask.ts';
import { makeServer, testKeys } from '../support/server.ts';
import { buildCatalog } from '../../src/catalog/build-catalog.ts';
import { buildRegistry } from '../../src/catalog/registry.ts';
import { makeTool, testLimits } from '../support/tools.ts';

const tools = [
  makeTool({ name: 'write', kind: 'skill', origin: 'directory:mine', produces: ['text/plain'] }),
  makeTool({ name: 'echo', version: '2.0' }),
  makeTool({ name: 'hidden' }),
  makeTool({ name: 'fetch', origin: 'package:net' }),
];
const approved = ['write@1', 'echo@2.0', 'fetch@1'];
const { app } = makeServer({ tools, approved });

describe('GET /v1/tools', () => {
  it('[S1-1, S1.3-5] lists what the caller may call, tools and skills alike, sorted by name, with the policy revision', async () => {
    const answer = await ask(app, 'GET /v1/tools');
    expect(answer.json()).toEqual({
      tools: [
        {
          ref: 'echo@2.0',
          name: 'echo',
          version: '2.0',
          kind: 'tool',
          origin: 'builtin',
          third_party: false,
          summary: 'Gives its text back.',
        },
        {
          ref: 'fetch@1',
          name: 'fetch',
          version: '1',
          kind: 'tool',
          origin: 'package:net',
          third_party: true,
          summary: 'Gives its text back.',
        },
        {
          ref: 'write@1',
          name: 'write',
          version: '1',
          kind: 'skill',
          origin: 'directory:mine',
          third_party: true,
          summary: 'Gives its text back.',
        },
      ],
      policy_revision: '0123456789abcdef',
    });
  });

  it('shows with detail=detailed each tool as its own route does', async () => {
    const { tools: detailed } = (await ask(app, 'GET /v1/tools?detail=detailed')).json() as {
      tools: object[];
    };
    expect(detailed[0]).toEqual((await ask(app, 'GET /v1/tools/echo')).json());
  });

  it.each([
    ['kind=skill', ['write@1']],
    ['kind=tool&origin=builtin', ['echo@2.0']],
    ['origin=package:net', ['fetch@1']],
    ['origin=package:other', []],
  ])('narrows by %s', async (query, refs) => {
    const answer = (await ask(app, `GET /v1/tools?${query}`)).json() as { tools: { ref: string }[] };
    expect(answer.tools.map((tool) => tool.ref)).toEqual(refs);
  });

  it.each([
    'detail=full',
    'detail=',
    'kind=Tool',
    'origin=elsewhere',
    'limit=10',
    'detail=concise&detail=concise',
    '__proto__=1',
    'DETAIL=concise',
  ])('answers 400 to ?%s and names the parameter', async (query) => {
    const answer = await ask(app, `GET /v1/tools?${query}`);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'INVALID_INPUT']);
    expect(answer.json()['message']).toContain(`query parameter ${query.split('=')[0] ?? ''} `);
  });

  it('answers 304 to the ETag it gave, in a list and weakened too, and 200 to another', async () => {
    const first = await ask(app, 'GET /v1/tools');
    const etag = first.headers['etag'] ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/u);
    for (const value of [etag, `"x", W/${etag}`, '*']) {
      const again = await ask(app, 'GET /v1/tools', { headers: { 'if-none-match': value } });
      expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    }
    expect((await ask(app, 'GET /v1/tools', { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    expect((await ask(app, 'GET /v1/tools?detail=detailed')).headers['etag']).not.toBe(etag);
  });

  it('gives a caller without tools an empty list', async () => {
    expect((await ask(app, 'GET /v1/tools', { key: testKeys.other })).json()['tools']).toEqual([]);
  });
});

describe('GET /v1/tools/{ref}', () => {
  it('[S1.3-6] tells all that a call needs', async () => {
    expect((await ask(app, 'GET /v1/tools/write@1')).json()).toEqual({
      ref: 'write@1',
      name: 'write',
      version: '1',
      kind: 'skill',
      origin: 'directory:mine',
      third_party: true,
      description: 'Gives its text back.',
      input_schema: tools[0]?.spec.inputSchema,
      produces: ['text/plain'],
      takes_files: false,
      examples: [],
      limits: { timeout_ms: 2_000, max_argument_bytes: 1_000, max_artifact_bytes: 1_000 },
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) as string,
    });
  });

  it.each(['echo', 'echo@2.0', 'echo%402.0', 'net:fetch', 'net:fetch@1'])(
    '[S1.3-6] finds %s',
    async (ref) => {
      expect((await ask(app, `GET /v1/tools/${ref}`)).status).toBe(200);
    },
  );

  it.each([
    ['application/json', 'json'],
    ['*/*', 'json'],
    ['text/markdown, */*', 'json'],
    ['text/markdown, application/json', 'json'],
    ['text/markdown, application/json;q=0.1', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['text/markdown', 'markdown'],
    ['text/*', 'markdown'],
    ['text/markdown, application/json;q=0', 'markdown'],
    ['', 'json'],
  ])('answers Accept %j with %s', async (accept, form) => {
    const answer = await ask(app, 'GET /v1/tools/echo', { headers: { accept } });
    expect(answer.headers['content-type']).toBe(
      form === 'json' ? 'application/json; charset=utf-8' : 'text/markdown; charset=utf-8',
    );
  });

  it('lets format= override Accept', async () => {
    const accept = { accept: 'application/json' };
    expect((await ask(app, 'GET /v1/tools/echo?format=markdown', { headers: accept })).text).toContain(
      '## echo',
    );
    expect(
      (await ask(app, 'GET /v1/tools/echo?format=json', { headers: { accept: 'text/markdown' } })).json(),
    ).toHaveProperty('ref');
    expect((await ask(app, 'GET /v1/tools/echo?format=xml')).status).toBe(400);
  });

  it('answers 406 where Accept allows neither', async () => {
    for (const accept of ['image/png', 'nonsense', 'text/markdown;q=0']) {
      const answer = await ask(app, 'GET /v1/tools/echo', { headers: { accept } });
      expect([answer.status, answer.json()['error']]).toEqual([406, 'NOT_ACCEPTABLE']);
    }
  });

  it('answers unknown and not approved alike on describe and invoke, naming what is near and what there is', async () => {
    const bodies = [];
    for (const line of [
      'GET /v1/tools/hidden',
      'GET /v1/tools/hidde1',
      'POST /v1/tools/hidden@1/invoke',
      'POST /v1/tools/hidden@9/invoke',
    ]) {
      const answer = await ask(app, line);
      expect(answer.status).toBe(404);
      const { request_id: _id, invocation_id: _call, message, ...same } = answer.json();
      expect(message).toMatch(/^There is no tool "hidde\S+" for you\.$/u);
      bodies.push(same);
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]?.['expected_format']).toBe('one of: echo, fetch, write (3 in all)');
    const near = await ask(app, 'GET /v1/tools/ecko');
    expect(near.json()['resolution']).toContain('echo');
  });
});

describe('GET /v1/admin/catalog', () => {
  it('shows every tool by origin, approved or not and why, and what was refused', async () => {
    const { catalog } = makeCatalogWithRefusals();
    const own = makeServer({ deps: { catalog } }).app;
    const body = (await ask(own, 'GET /v1/admin/catalog', { key: testKeys.operator })).json() as unknown as {
      origins: { origin: string; third_party: boolean; tools: Record<string, unknown>[] }[];
    };
    expect(body).toMatchObject({
      policy_revision: 'r',
      refusals: [{ origin: 'repository', source: 'skills/x/SKILL.md', reason: 'it has no name', ref: 'x@1' }],
      dead_policy_entries: [{ entry: 'x@1', reason: 'it was refused' }],
    });
    expect(body.origins.map(({ origin, third_party }) => [origin, third_party])).toEqual([
      ['builtin', false],
      ['directory:mine', true],
      ['package:net', true],
    ]);
    expect(body.origins[0]?.tools.map(({ ref, approved: ok, reason }) => [ref, ok, reason])).toEqual([
      ['echo@2.0', true, 'approved'],
      ['hidden@1', false, 'not_approved'],
    ]);
  });

  it('shows on /readyz as degraded, with the reasons for operators only', async () => {
    const own = makeServer({ deps: { catalog: makeCatalogWithRefusals().catalog } }).app;
    const counts = { status: 'degraded', tools: 3, refused: 1, dead_policy_entries: 1 };
    expect((await ask(own, 'GET /readyz')).json()).toEqual(counts);
    expect((await ask(own, 'GET /readyz', { key: testKeys.runner })).json()).toEqual(counts);
    expect((await ask(own, 'GET /readyz', { key: testKeys.operator })).json()).toMatchObject({
      ...counts,
      reasons: { refusals: [{ ref: 'x@1' }], dead_policy_entries: [{ entry: 'x@1' }] },
    });
  });

  it.each(['starting', 'draining', 'store_lost'] as const)(
    'answers 503 on /readyz while %s, /healthz 200',
    async (state) => {
      const own = makeServer({ deps: { readiness: async () => state } }).app;
      const answer = await ask(own, 'GET /readyz');
      expect([answer.status, answer.json()['error'], answer.headers['retry-after']]).toEqual([
        503,
        'OVERLOADED',
        '2',
      ]);
      expect((await ask(own, 'GET /healthz')).json()).toEqual({ status: 'ok' });
    },
  );
});

function makeCatalogWithRefusals() {
  const registry = buildRegistry(tools, testLimits);
  const catalog = buildCatalog({
    registry,
    approved: new Set(approved),
    refusals: [{ origin: 'repository', source: 'skills/x/SKILL.md', reason: 'it has no name', ref: 'x@1' }],
    findings: [],
    statuses: [],
    approveEntries: ['x@1'],
    deadEntries: [{ entry: 'x@1', reason: 'it was refused' }],
    policyRevision: 'r',
  });
  return { catalog };
}
