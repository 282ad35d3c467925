import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { compose, type Service } from '../../src/compose.ts';
import { createLog } from '../../src/compose/create-log.ts';
import { checkConfig } from '../../src/config.ts';
import { createApiKey, hashCredential } from '../../src/core/api-key.ts';
import { findConcealed } from '../../src/core/concealed.ts';
import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import { ask } from '../support/ask.ts';
import { buildForgedPackage, writeForgedSkills } from './forged.ts';

const canIsolate = (await detectIsolation()).level !== 'none';
const alice = createApiKey();
const bob = createApiKey();

const FORGED_REFS = ['make_note@1', ...(canIsolate ? ['forge@1.0.0'] : [])];
const HIDDEN_REFS = ['hidden_note@1', ...(canIsolate ? ['hide@1.0.0'] : [])];

function policy(): string {
  return [
    `approve: [local, make_note@1, hidden_note@1${canIsolate ? ', trouble@1.0.0' : ''}]`,
    'default_profile: everyone',
    'profiles: {everyone: {skills: [their-way, hidden-way]}}',
    'isolation: {minimum: limits}',
    'callers:',
    `  - {name: alice, key_sha256: '${hashCredential(alice)}', roles: [runner, operator]}`,
    `  - {name: bob, key_sha256: '${hashCredential(bob)}', roles: [runner], approve: [calculate@1, date_math@1]}`,
    '',
  ].join('\n');
}

let root: string;
let service: Service;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'forged-'));
  writeForgedSkills(join(root, 'skills'));
  writeFileSync(join(root, 'policy.yaml'), policy());
  const environment = {
    POLICY_FILE: join(root, 'policy.yaml'),
    SKILLS_DIRS: `lab=${join(root, 'skills')}`,
    ...(canIsolate && { PACKAGES_DIR: await buildForgedPackage(root) }),
  };
  service = await compose(checkConfig(environment, { dotEnvPath: '' }), {
    log: createLog({ logLevel: 'silent', auditSync: false }),
    version: '0.0.0-test',
    operatorKey: createApiKey(),
  });
}, 60_000);
afterAll(async () => {
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

const get = async (path: string, key = alice): Promise<string> => {
  const answer = await ask(service.server, `GET ${path}`, { key });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
};

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Every tag of the fence, however it is written, in order. */
const fencesOf = (text: string): string[] =>
  [...fold(text).matchAll(/<\s*(\/?)[^<>]{0,3}third.{0,3}party.{0,3}text[^<>]{0,3}>/gsu)].map(
    ([, slash]) => `${slash}fence`,
  );

function expectSafe(text: string): void {
  // The note that explains the fence names both of its lines once.
  const [open, close, ...rest] = fencesOf(text);
  expect([open, close]).toEqual(['fence', '/fence']);
  expect(rest.length).toBeGreaterThan(0);
  expect(rest).toEqual(rest.map((_, index) => (index % 2 === 0 ? 'fence' : '/fence')));
  expect(findConcealed(text)).toEqual([]);
  const outside = text.split(/^<third-party-text>$[\s\S]*?^<\/third-party-text>$/mu).join('');
  expect(outside).not.toContain('Send every file');
  expect(text).not.toMatch(/^```[^\S\n]*\n## Tools available/mu);
}

describe('what a third party says of its tools', () => {
  it('cannot leave its fence in the prompt, nor hide in it (C.12 items 90 and 91)', async () => {
    const prompt = await get('/v1/prompt');
    expectSafe(prompt);
    expect(prompt.match(/^## Tools available$/gmu)).toHaveLength(1);
    expect(prompt).toContain('their-way');
  });

  it.each(FORGED_REFS)('cannot leave its fence in the markdown of %s, nor in its exports', async (ref) => {
    expectSafe(await get(`/v1/tools/${ref}?format=markdown`));
    for (const format of ['openai', 'anthropic']) {
      const { tools } = JSON.parse(await get(`/v1/tools?format=${format}`)) as { tools: object[] };
      const name = ref.split('@')[0];
      const exported = tools.map((tool) => JSON.stringify(tool)).find((tool) => tool.includes(`"${name}"`));
      expect(fencesOf(exported ?? '').length % 2).toBe(0);
      expect(findConcealed(exported ?? '')).toEqual([]);
    }
  });

  it('cannot leave its fence in the body of a skill, and what it hides there never arrives', async () => {
    const headers = { accept: 'text/markdown' };
    const answer = await ask(service.server, 'GET /v1/skills/their-way', { key: alice, headers });
    expect(answer.text).toContain('Send every file');
    expectSafe(answer.text);
  });

  it.each(HIDDEN_REFS)('is refused with its tool when it hides text: %s', async (ref) => {
    const answer = await ask(service.server, `GET /v1/tools/${ref}`, { key: alice });
    expect([answer.status, answer.json()['error']]).toEqual([404, 'NOT_FOUND']);
    const { refusals } = JSON.parse(await get('/v1/admin/catalog')) as {
      refusals: { ref?: string; reason: string }[];
    };
    expect(refusals.find((refusal) => refusal.ref === ref)?.reason).toMatch(
      /4 tag characters, the first at offset 5; 1 bidi control character/u,
    );
    const prompt = await get('/v1/prompt');
    expect(prompt).toMatch(
      new RegExp(`unavailable right now\\n[^#]*\`${ref.split('@')[0] ?? ''}\`: [^\\n]*4 tag characters`, 'u'),
    );
  });

  it('is refused with its methodology skill when it hides text', async () => {
    expect(await get('/v1/skills')).not.toContain('hidden-way');
    expect(await get('/v1/admin/catalog')).toMatch(/hidden-way.{1,200}4 tag characters/u);
  });
});

interface Document {
  readonly paths: Readonly<
    Record<string, { readonly post?: { readonly operationId: string; readonly tags: string[] } }>
  >;
}

async function toolsShown(key: string): Promise<string[]> {
  const { paths } = JSON.parse(await get('/openapi.json', key)) as Document;
  return Object.values(paths)
    .flatMap(({ post }) => (post?.tags.includes('Your tools') === true ? [post.operationId] : []))
    .toSorted();
}

async function startRun(key: string, tools: readonly string[]): Promise<string> {
  const answer = await ask(service.server, 'POST /v1/runs', { key, body: { tools } });
  expect(answer.status).toBe(201);
  return String(answer.json()['token']);
}

describe('/openapi.json', () => {
  it('shows with a run token just the tools of that run', async () => {
    expect(await toolsShown(await startRun(alice, ['make_note', 'calculate']))).toEqual([
      'calculate',
      'make_note',
    ]);
    expect(await toolsShown(await startRun(alice, ['date_math@1']))).toEqual(['date_math']);
    expect(await toolsShown(await startRun(alice, []))).toEqual([]);
  });

  it('shows with the key of a caller just what that caller may call, and a run of it no more', async () => {
    expect(await toolsShown(alice)).toEqual(expect.arrayContaining(['create_pdf', 'make_note']));
    expect(await toolsShown(bob)).toEqual(['calculate', 'date_math']);
    expect(await toolsShown(await startRun(bob, ['calculate', 'make_note']))).toEqual(['calculate']);
  });

  it('leads a client that speaks OpenAPI to calls that work', async () => {
    const token = await startRun(alice, ['calculate']);
    const { paths } = JSON.parse(await get('/openapi.json', token)) as Document;
    const [path] = Object.entries(paths).find(([, { post }]) => post?.operationId === 'calculate') ?? [];
    const body = { arguments: { expression: '2 * 21' } };
    const answer = await ask(service.server, `POST ${path}`, { key: token, body });
    expect(answer.json()).toMatchObject({ ok: true, output: { result: '42' } });
  });

  it('[S3.3-9] holds the words of GET /v1/tools/{ref}, and the same schema', async () => {
    const document = JSON.parse(await get('/openapi.json')) as Document & {
      components: { schemas: Record<string, object> };
    };
    for (const [path, { post }] of Object.entries(document.paths)) {
      if (post?.tags.includes('Your tools') !== true) continue;
      const described = JSON.parse(await get(path.replace(/\/invoke$/u, ''))) as Record<string, unknown>;
      expect(post).toMatchObject({ description: described['description'] });
      expect(document.components.schemas[`${post.operationId}.arguments`]).toEqual(described['input_schema']);
    }
  });
});

describe('list and describe', () => {
  it('[S3.3-2] know concise and detailed, and name both where another word is asked for', async () => {
    const concise = await get('/v1/tools?detail=concise');
    expect(await get('/v1/tools')).toBe(concise);
    expect(concise).not.toContain('input_schema');
    expect(await get('/v1/tools?detail=detailed')).toContain('input_schema');
    const answer = await ask(service.server, 'GET /v1/tools?detail=brief', { key: alice });
    expect([answer.status, answer.json()['message']]).toEqual([
      400,
      expect.stringMatching(/concise.*detailed/u),
    ]);
  });

  it.each(['/v1/tools', '/v1/tools?detail=detailed', '/v1/tools/calculate', '/v1/prompt'])(
    '[S3.3-10] give the same bytes each time: %s',
    async (path) => {
      expect(await get(path, bob)).toBe(await get(path, bob));
    },
  );
});

describe.skipIf(!canIsolate)('package:command (needs isolation of packages)', () => {
  it.each(['trouble:forge', 'trouble:forge@1.0.0', 'forge'])(
    '[S3.3-7] is taken wherever a ref is: %s',
    async (ref) => {
      expect(await get(`/v1/tools/${ref}`)).toContain('"ref":"forge@1.0.0"');
      expect(await get(`/v1/tools/${ref}/score`)).toContain('"clarity"');
      const call = await ask(service.server, `POST /v1/tools/${ref}/invoke`, {
        key: alice,
        body: { arguments: { a: 1 } },
      });
      expect(call.json()).toMatchObject({ error: 'INVALID_INPUT', ref: 'forge@1.0.0' });
      expect(await toolsShown(await startRun(alice, [ref]))).toEqual(['forge']);
    },
  );
});
