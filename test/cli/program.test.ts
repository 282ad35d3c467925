import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createProgram } from '../../src/cli/program.ts';
import { parsePolicy } from '../../src/catalog/policy-parse.ts';
import { looksLikeApiKey } from '../../src/core/api-key.ts';
import { root } from '../support/sources.ts';

interface Ended {
  readonly code: number | undefined;
  readonly text: string;
  readonly told: string;
}

async function run(line: string, environment: Record<string, string> = {}): Promise<Ended> {
  const [printed, told]: [string[], string[]] = [[], []];
  let code: number | undefined;
  const program = createProgram({
    version: '1.2.3',
    environment,
    print: (text) => void printed.push(text),
    tell: (text) => void told.push(text),
    exit: (given) => {
      code = given;
    },
  });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return { code, text: printed.join('\n'), told: told.join('\n') };
}

async function writePolicy(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'policy-')), 'policy.yaml');
  await writeFile(file, text);
  return file;
}

const key = createHash('sha256').update('k').digest('hex');
const CALLERS = `approve: [local]
profiles: {plans: {tools: [make_plan]}}
callers:
  - {name: agent, key_sha256: ${key}, roles: [runner], profile: plans}
`;

describe('tool-broker keys new', () => {
  it('prints a key that is found when it leaks, once, and an entry that the policy takes', async () => {
    const { code, text } = await run('keys new --name agent --role runner operator');
    const secret = /tb_\S+/u.exec(text)?.[0] ?? '';
    expect([code, looksLikeApiKey(secret), text.split(secret).length]).toEqual([0, true, 2]);
    const entry = text.slice(text.indexOf('  - name:'));
    const policy = parsePolicy(`approve: []\ncallers:\n${entry}\n`, 'p');
    expect(policy.callers).toMatchObject([
      {
        name: 'agent',
        roles: ['runner', 'operator'],
        keySha256: createHash('sha256').update(secret).digest('hex'),
      },
    ]);
  });

  it('never prints the same key twice', async () => {
    const texts = [await run('keys new --name a'), await run('keys new --name a')].map(({ text }) => text);
    expect(texts[0]).not.toBe(texts[1]);
  });

  it.each([
    ['keys new --name a/b', '"a/b" is no name of a caller'],
    ['keys new --name a --role admin', '"admin" is no role. A role is runner or operator'],
  ])('refuses %s with exit code 2', async (line, message) => {
    expect(await run(line)).toMatchObject({ code: 2, text: expect.stringContaining(message) as string });
  });
});

describe('tool-broker explain', () => {
  it('names the reason and the line, and ends with 0 or 1', async () => {
    const environment = { POLICY_FILE: await writePolicy(CALLERS) };
    const allowed = await run('explain make_plan --caller agent', environment);
    expect(allowed).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^allowed: .*policy\.yaml:1:11\)$/u) as string,
    });
    const refused = await run('explain create_pdf --caller agent --json', environment);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.text)).toMatchObject({
      caller: 'agent',
      tool: 'create_pdf@1',
      allowed: false,
      reason: 'not_in_profile',
      policy_place: expect.stringMatching(/policy\.yaml:2:20$/u) as string,
    });
    expect((await run('explain create_pdf', environment)).code).toBe(0);
    expect(await run('explain create_pdf --caller nobody', environment)).toMatchObject({
      code: 2,
      text: expect.stringContaining('The policy names agent.') as string,
    });
  });

  it('ends as a start would where the service would not start', async () => {
    const environment = { POLICY_FILE: await writePolicy('approve: [nothing@1]\n') };
    for (const line of ['explain create_pdf', 'tools']) {
      expect(await run(line, environment)).toMatchObject({
        code: 78,
        text: expect.stringMatching(
          /would not start: 1 to correct\.\n.*policy\.yaml:1:11: There is no tool/u,
        ) as string,
      });
    }
  });
});

describe('tool-broker tools', () => {
  it('[S1-16] shows every tool that is known in groups, approved or not, so that an operator sees what to name', async () => {
    const environment = { POLICY_FILE: await writePolicy('approve: [make_plan@1]\n') };
    const { code, text } = await run('tools', environment);
    expect(code).toBe(0);
    expect(text).toMatch(/^builtin\n {2}not approved {2}calculate@1 {2}tool {2}sha256:[0-9a-f]{64}\n/u);
    expect(text).toContain('  approved      make_plan@1  skill');
    expect(text).toContain('\nrepository\n');
    expect(text).toMatch(/not approved {2}status_update@1/u);
    const { origins } = JSON.parse((await run('tools --json', environment)).text) as {
      origins: { origin: string; tools: { ref: string; approved: boolean }[] }[];
    };
    expect(origins.find(({ origin }) => origin === 'repository')?.tools.map(({ ref }) => ref)).toContain(
      'status_update@1',
    );
    expect(origins.flatMap(({ tools }) => tools.filter(({ approved }) => approved))).toHaveLength(1);
  });
});

describe('the program', () => {
  const start = async (...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> =>
    new Promise((resolve) => {
      const argv = ['--import', 'tsx', 'src/cli/main.ts', ...args];
      execFile(
        process.execPath,
        argv,
        { cwd: root, env: { PATH: process.env['PATH'] } },
        (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
      );
    });

  it('ends with the exit code of its command', { timeout: 60_000 }, async () => {
    expect(await start('skills', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('match their pins') as string,
    });
    expect((await start('keys', 'new', '--name', 'a/b')).code).toBe(2);
    expect((await start('skills', 'lint', 'no-such-directory')).code).toBe(2);
  });

  it('helps, and says what is wrong with a command', { timeout: 60_000 }, async () => {
    const help = await start('--help');
    expect(help.code).toBe(0);
    for (const command of ['tools', 'explain', 'keys', 'skills', 'packages'])
      expect(help.stdout).toContain(command);
    expect(await start('explian')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Did you mean explain?') as string,
    });
  });
});
