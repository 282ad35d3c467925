import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { ANSWER_EXAMPLES } from '../../../src/http/wire/answer-examples.ts';
import { ask } from '../../support/ask.ts';
import { makeServer, testKeys } from '../../support/server.ts';
import { root } from '../../support/sources.ts';
import { makeTool } from '../../support/tools.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: object }>> }>
  >;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples?: object }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const tools = [
  makeTool({
    examples: [{ input: 'Say hi.', arguments: { text: 'hi' } }],
    produces: ['application/pdf'],
  }),
  makeTool({ name: 'theirs', origin: 'package:x', description: 'Not <b>ours</b>.' }),
  makeTool({ name: 'hidden' }),
];
const approved = ['echo@1', 'theirs@1'];
const open = makeServer({ tools, approved }).app;
const keyed = makeServer({ tools, approved, settings: { keysConfigured: true } }).app;
const read = async (app: typeof open, key?: string): Promise<Document> =>
  (await ask(app, 'GET /openapi.json', key === undefined ? {} : { key })).json() as unknown as Document;

const GENERAL = [
  'delete /v1/runs/{id}',
  'get /healthz',
  'get /openapi.json',
  'get /readyz',
  'get /v1/admin/catalog',
  'get /v1/admin/explain',
  'get /v1/artifacts/{id}',
  'get /v1/prompt',
  'get /v1/runs/{id}',
  'get /v1/skills',
  'get /v1/skills/{name}',
  'get /v1/skills/{name}/file',
  'get /v1/tools',
  'get /v1/tools/{ref}',
  'get /v1/tools/{ref}/score',
  'head /v1/artifacts/{id}',
  'post /v1/artifacts',
  'post /v1/descriptions/evaluate',
  'post /v1/runs',
  'post /v1/tools/{ref}/invoke',
];
const operationsOf = ({ paths }: Document): string[] =>
  Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));

describe('/openapi.json', () => {
  it('describes every route, and each tool that the credential may call as an operation of its own', async () => {
    expect(operationsOf(await read(open)).toSorted()).toEqual(
      [...GENERAL, 'post /v1/tools/echo@1/invoke', 'post /v1/tools/theirs@1/invoke'].toSorted(),
    );
  });

  it('shows the general routes only without a credential where keys are configured, and to each what it may call', async () => {
    expect(operationsOf(await read(keyed)).toSorted()).toEqual(GENERAL);
    expect(operationsOf(await read(keyed, testKeys.other)).toSorted()).toEqual(GENERAL);
    expect(operationsOf(await read(keyed, testKeys.runner))).toContain('post /v1/tools/echo@1/invoke');
    expect(JSON.stringify(await read(keyed, testKeys.operator))).not.toContain('hidden');
  });

  it('gives a tool its name, schema, examples and media types', async () => {
    const document = await read(open);
    const operation = document.paths['/v1/tools/echo@1/invoke']?.['post'];
    expect(operation?.operationId).toBe('echo');
    expect(operation?.requestBody?.content['application/json']).toEqual({
      schema: {
        type: 'object',
        properties: { arguments: { $ref: '#/components/schemas/echo.arguments' } },
        required: ['arguments'],
        additionalProperties: false,
      },
      examples: { example1: { summary: 'Say hi.', value: { arguments: { text: 'hi' } } } },
    });
    expect(Object.keys(operation?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'application/pdf',
    ]);
    expect(document.components.schemas['echo.arguments']).toEqual(tools[0]?.spec.inputSchema);
  });

  it('gives the words of third parties as they are, flagged', async () => {
    const { paths } = await read(open);
    expect(paths['/v1/tools/theirs@1/invoke']?.['post']).toMatchObject({
      description: 'Not <b>ours</b>.',
      'x-third-party': true,
    });
    expect(paths['/v1/tools/echo@1/invoke']?.['post']).not.toHaveProperty('x-third-party');
  });

  it('names no operation twice', async () => {
    const { paths } = await read(open);
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('answers 304 to its ETag, another one to another credential', async () => {
    const mine = await ask(keyed, 'GET /openapi.json', { key: testKeys.runner });
    const etag = mine.headers['etag'] ?? '';
    const headers = { 'if-none-match': etag };
    expect((await ask(keyed, 'GET /openapi.json', { key: testKeys.runner, headers })).status).toBe(304);
    expect((await ask(keyed, 'GET /openapi.json', { headers })).status).toBe(200);
  });

  it('is the same whenever and wherever it is made', async () => {
    const again = makeServer({ tools: tools.toReversed(), approved }).app;
    expect((await ask(again, 'GET /openapi.json')).text).toBe((await ask(open, 'GET /openapi.json')).text);
  });

  it('has an error answer with an example for every code that a route gives, and examples that fit', async () => {
    const document = await read(open);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'doc' });
    const check = (component: string, value: unknown): unknown => {
      const validate = ajv.compile({ $ref: `doc#/components/schemas/${component}` });
      return validate(value) ? [] : validate.errors;
    };
    for (const [component, value] of Object.entries(ANSWER_EXAMPLES))
      expect(check(component, value)).toEqual([]);
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, { responses }] of Object.entries(item)) {
        for (const status of ['400', '401', '403', '408', '431', '500']) {
          const example = responses[status]?.content?.['application/json']?.example;
          expect([method, path, status, check('Error', example)]).toEqual([method, path, status, []]);
        }
      }
    }
  });

  it('is clean OpenAPI 3.1 for redocly', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(await read(open), null, 2));
    const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [redocly, 'lint', '--config', join(root, 'redocly.yaml'), '--format', 'json', file],
      { env: { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', CI: 'true' } },
    );
    expect(JSON.parse(stdout) as unknown, stderr).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
    });
  });
});
