import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { copyService, startCopy, stopCopy, type CopiedService } from './copied-service.ts';

let root: string;
const started: CopiedService[] = [];
beforeAll(() => {
  root = copyService();
});
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function start(environment: Readonly<Record<string, string>> = {}): CopiedService {
  const service = startCopy(root, environment);
  started.push(service);
  return service;
}

type Line = Readonly<Record<string, unknown>>;

function linesOf({ stdout }: CopiedService): Line[] {
  return stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

describe('what was refused at boot', { timeout: 30_000 }, () => {
  it('shows in the log, one line for each, and its number in the start line', async () => {
    writeFileSync(join(root, 'skills/left-over.txt'), 'x');
    const service = start();
    await service.url;
    await stopCopy(service);
    rmSync(join(root, 'skills/left-over.txt'));
    const lines = linesOf(service);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'policy entry without a tool',
        origin: 'policy',
        source: join(root, 'policy.yaml'),
        ref: 'data-fetch@1.0.0',
        reason: expect.stringContaining('npm run prebuild') as string,
      }),
    );
    const found = expect.stringContaining('left-over.txt') as string;
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'finding', origin: 'repository', source: found }),
    );
    expect(service.stderr()).toContain(' · 2 refused, see the log');
  });

  it('shows a refused repository with the file that is at fault', async () => {
    writeFileSync(join(root, 'skills/status-update/more.txt'), 'x');
    const service = start();
    await service.url;
    await stopCopy(service);
    rmSync(join(root, 'skills/status-update/more.txt'));
    expect(linesOf(service)).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'refused at boot',
        origin: 'repository',
        source: expect.stringContaining('status-update') as string,
        reason: expect.any(String) as string,
      }),
    );
  });

  it('is not spoken of when there is nothing', async () => {
    const policy = join(root, 'sound.yaml');
    writeFileSync(policy, 'approve: [local]\n');
    const service = start({ POLICY_FILE: policy });
    await service.url;
    expect(await stopCopy(service)).toBe(0);
    expect(service.stderr()).not.toContain('refused, see');
  });
});

describe('the start line', { timeout: 30_000 }, () => {
  it('may be answered with SIGTERM at once: the service ends with 0', async () => {
    const service = start();
    await service.url;
    expect(await stopCopy(service)).toBe(0);
  });

  it('shows the address that was bound', async () => {
    const service = start({ HOST: '0.0.0.0', API_KEY: 'k'.repeat(40) });
    expect(await service.url).toMatch(/^http:\/\/0\.0\.0\.0:[1-9]\d*$/u);
  });

  it('does not come when the port is taken; the end with 1 says that another try may help', async () => {
    const { port } = new URL(await start().url);
    const second = start({ PORT: port });
    expect(await second.exited).toBe(1);
    expect(second.stderr()).toContain(`127.0.0.1:${port} cannot be used (EADDRINUSE).`);
  });
});

describe('shipped skills whose pins cannot be read', { timeout: 30_000 }, () => {
  const lock = (): string => join(root, 'skills/skills.lock.json');

  it.each([
    ['missing', /skills\.lock\.json: is missing/u, () => {}],
    ['broken', /skills\.lock\.json/u, () => writeFileSync(lock(), '{')],
    ['a pipe', /skills\.lock\.json/u, () => void execFileSync('mkfifo', [lock()])],
  ])('do not stop the start when the lock file is %s; each entry is reported with why', async (...row) => {
    const [, reason, spoil] = row;
    renameSync(lock(), join(root, 'kept.json'));
    spoil();
    const service = start();
    await service.url.finally(() => {
      rmSync(lock(), { force: true });
      renameSync(join(root, 'kept.json'), lock());
    });
    await stopCopy(service);
    const dead = linesOf(service).filter(({ msg }) => msg === 'policy entry without a tool');
    const refs = dead.filter((line) => reason.test(String(line['reason']))).map(({ ref }) => ref);
    expect(refs).toEqual(expect.arrayContaining(['status_update@1', 'action_list@1', 'fishbone-6m']));
  });

  it('do not stop the start when their directory is missing, nor excuse a slip that is none of them', async () => {
    const away = join(root, 'skills-away');
    renameSync(join(root, 'skills'), away);
    const [service, slip] = [start(), start({ BROKER_APPROVE: 'local,calculate@7,text-stat@0.1.0' })];
    const code = await service.url
      .then(async () => slip.exited)
      .finally(() => renameSync(away, join(root, 'skills')));
    expect(code).toBe(78);
    expect(slip.stderr()).toMatch(/"7" of calculate.*\n.*text-stat@0\.1\.0/u);
    expect(slip.stderr()).toMatch(/\nrepository: the shipped skill repository was refused: .*skills/u);
  });
});

describe('stopping', { timeout: 30_000 }, () => {
  it('shows 503 in /readyz while calls are still answered, and then ends', async () => {
    const service = start();
    const url = await service.url;
    const ready = async (): Promise<number> => (await fetch(`${url}/readyz`)).status;
    expect(await ready()).toBe(200);
    const exited = stopCopy(service);
    await vi.waitFor(async () => expect(await ready()).toBe(503), { timeout: 5_000, interval: 20 });
    expect(await calculate(url)).toBe(200);
    expect(await exited).toBe(0);
  });

  it('ends well when no grace is given, too', async () => {
    const service = start({ SHUTDOWN_GRACE_MS: '0' });
    await service.url;
    expect(await stopCopy(service)).toBe(0);
  });
});

describe('the audit line of a call', { timeout: 30_000 }, () => {
  it('is written before a kill that comes right behind the answer, with AUDIT_SYNC=true', async () => {
    const service = start({ AUDIT_SYNC: 'true' });
    const url = await service.url;
    // Several, since a buffer may happen to be written out right behind one of them.
    for (let call = 1; call <= 5; call += 1) expect(await calculate(url)).toBe(200);
    service.child.kill('SIGKILL');
    await service.exited;
    expect(linesOf(service).filter(({ ref, msg }) => ref === 'calculate@1' && msg === 'call')).toHaveLength(
      5,
    );
  });
});

async function calculate(url: string): Promise<number> {
  const { status } = await fetch(`${url}/v1/tools/calculate/invoke`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ arguments: { expression: '1+1' } }),
  });
  return status;
}
