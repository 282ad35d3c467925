import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

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
    await stopCopy(service);
    expect(service.stderr()).not.toContain('refused, see');
  });
});
