import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { compose, type Service } from '../../src/compose.ts';
import { createLog } from '../../src/compose/create-log.ts';
import { checkConfig } from '../../src/config.ts';
import { createApiKey } from '../../src/core/api-key.ts';
import { BootError } from '../../src/core/boot-error.ts';
import { ask } from '../support/ask.ts';
import { readSources } from '../support/sources.ts';

const operatorKey = createApiKey();
const opened: Service[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (service) => service.close()));
});

async function start(env: Record<string, string>): Promise<Service> {
  const service = await compose(checkConfig(env, { dotEnvPath: '' }), {
    log: createLog({ logLevel: 'silent', auditSync: false }),
    version: '0.0.0-test',
    operatorKey,
  });
  opened.push(service);
  return service;
}

function policyFile(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'policy-')), 'policy.yaml');
  writeFileSync(path, text);
  return path;
}

async function namesOf({ server }: Service): Promise<string[]> {
  const { tools } = (await ask(server, 'GET /v1/tools')).json() as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

const STATUS = {
  project: 'Atlas',
  status: 'On track',
  period: 'Week 12',
  date: '2026-03-20',
  summary: 'The migration is done.',
};

describe('the whole service', () => {
  it('[S1-34] offers with the bundle local the built-ins and no skill of the repository', async () => {
    const service = await start({ BROKER_APPROVE: 'local' });
    expect(await namesOf(service)).toEqual([
      'calculate',
      'create_pdf',
      'date_math',
      'make_plan',
      'read_skill',
    ]);
    expect((await ask(service.server, 'POST /v1/tools/status_update/invoke', { body: {} })).status).toBe(404);
  });

  it('[S1-34] offers a skill of the repository when it is named exactly, alone or beside local', async () => {
    expect(await namesOf(await start({ BROKER_APPROVE: 'status_update@1' }))).toEqual(['status_update']);
    const both = await start({ BROKER_APPROVE: 'local,status_update@1' });
    const answer = await ask(both.server, 'POST /v1/tools/status_update@1/invoke', {
      body: { arguments: STATUS },
    });
    expect(answer.json()).toMatchObject({ ok: true, artifact: { media_type: 'text/markdown' } });
    expect((await ask(both.server, 'POST /v1/tools/status_update@2/invoke', { body: {} })).status).toBe(404);
  });

  it('[S1-3] gives tools and skills one shape of answer; only a skill has a file beside it', async () => {
    const { server } = await start({ BROKER_APPROVE: 'local' });
    const tool = (
      await ask(server, 'POST /v1/tools/calculate/invoke', { body: { arguments: { expression: '1+1' } } })
    ).json();
    const body = { arguments: { goal: 'g', steps: ['s'] } };
    const skill = (await ask(server, 'POST /v1/tools/make_plan/invoke', { body })).json();
    expect(Object.keys(tool)).toEqual(['ok', 'invocation_id', 'ref', 'output', 'duration_ms']);
    expect(Object.keys(skill)).toEqual([
      'ok',
      'invocation_id',
      'ref',
      'output',
      'artifact',
      'download',
      'duration_ms',
    ]);
    expect(Object.keys(skill['artifact'] as object)).toEqual(['name', 'media_type', 'base64', 'size_bytes']);
  });

  it('keeps base64 out of all that belongs to a model', async () => {
    const { server } = await start({ BROKER_APPROVE: 'local,incident_report@1' });
    const { tools } = (await ask(server, 'GET /v1/tools?detail=detailed')).json() as {
      tools: { name: string; examples: { arguments: object }[] }[];
    };
    for (const { name, examples } of tools) {
      for (const example of examples) {
        const answer = (
          await ask(server, `POST /v1/tools/${name}/invoke`, {
            body: example.arguments && { arguments: example.arguments },
          })
        ).json();
        expect([name, answer['ok']]).toEqual([name, true]);
        expect(JSON.stringify(answer['output'])).not.toMatch(/base64|[A-Za-z0-9+/]{200}/u);
      }
    }
  });

  it('[S1-6] has skills that open no socket, read no file and start no process when they are called', () => {
    const pure = readSources('src/builtin').filter((source) => !/(?:pool|worker)\.ts$/u.test(source.path));
    const impure =
      /from '(?:node:(?:fs|net|http|https|dgram|child_process|worker_threads|dns)[/']|undici|piscina)/u;
    expect(pure.filter((source) => impure.test(source.text)).map((source) => source.path)).toEqual([]);
  });

  it('[S1-7] says in the description of make_plan when not to call it', async () => {
    const { server } = await start({ BROKER_APPROVE: 'local' });
    const { description } = (await ask(server, 'GET /v1/tools/make_plan')).json();
    expect(description).toMatch(/do not (?:call|use)/iu);
  });

  it('[S1-16] shows operators everything that can be named, in groups, approved or not', async () => {
    const { server } = await start({ BROKER_APPROVE: 'local' });
    const { origins } = (await ask(server, 'GET /v1/admin/catalog', { key: operatorKey })).json() as {
      origins: { origin: string; tools: { ref: string; approved: boolean }[] }[];
    };
    const repository = origins.find((group) => group.origin === 'repository');
    expect(repository?.tools.map(({ ref, approved }) => `${ref} ${approved}`)).toEqual([
      'action_list@1 false',
      'incident_report@1 false',
      'meeting_minutes@1 false',
      'status_update@1 false',
    ]);
  });

  it.each([
    ['an empty list', 'approve: []\n'],
    ['an empty file', ''],
  ])('approves nothing with %s', async (_what, text) => {
    const service = await start({ POLICY_FILE: policyFile(text) });
    expect(await namesOf(service)).toEqual([]);
    expect((await ask(service.server, 'GET /v1/prompt')).text).toBe('');
  });

  it('approves nothing with BROKER_APPROVE set and empty', async () => {
    expect(await namesOf(await start({ BROKER_APPROVE: '' }))).toEqual([]);
  });

  it('tells every fault of environment, policy and skills at once, and starts nothing', async () => {
    const env = {
      PORT: 'eighty',
      POLICY_FILE: policyFile(
        'approve:\n  - create_pfd@1\n  - make_plan@latest\nprofiles: {p: {skills: [fishbone]}}\n',
      ),
      SKILLS_DIRS: 'gone=/does/not/exist',
    };
    const error = await start(env).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BootError);
    const text = (error as BootError).message;
    for (const part of [
      'PORT',
      ':2:',
      'create_pdf@1',
      ':3:',
      'make_plan@1',
      ':4:',
      'fishbone-6m',
      '/does/not/exist',
    ]) {
      expect(text).toContain(part);
    }
  });
});
