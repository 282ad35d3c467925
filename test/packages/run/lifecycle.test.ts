import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createRunner } from '../../../src/packages/run/runner.ts';
import { tagOf } from '../../../src/packages/run/work-root.ts';
import {
  ISOLATIONS,
  isRoot,
  listLeftDirectories,
  listProcesses,
  openRunner,
  text,
} from './sandboxes-here.ts';

const SERVICE = fileURLToPath(new URL('service-that-dies.ts', import.meta.url));

describe.each(ISOLATIONS)('the life of a runner, at the level $level', (isolation) => {
  it('closing lets what is going finish within the time it has', async () => {
    const here = await openRunner(isolation);
    const going = here.run('closes-stdin', { stdin: '{}' });
    await sleep(50);
    await here.runner.close(10_000);
    expect(await going).toMatchObject({ outcome: 'exited', exitCode: 0 });
    await here.close();
  });

  it('closing ends what does not finish, and leaves nothing', async () => {
    const here = await openRunner(isolation);
    const going = here.run('ignores-sigterm');
    await sleep(200);
    await here.runner.close(100);
    expect(await going).toMatchObject({ outcome: 'aborted', abortReason: 'shutdown' });
    expect(listProcesses(here.tag)).toEqual([]);
    expect(await readdir(here.workRoot)).toEqual([]);
    await here.close();
  });

  it('a closed runner takes no more runs', async () => {
    const here = await openRunner(isolation);
    await here.runner.close();
    await expect(here.run('prints-json')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await here.close();
  });

  it('[S2.3-6] fifty runs at once, each with its own directory and answer, and nothing is left', async () => {
    const here = await openRunner(isolation);
    const results = await Promise.all(Array.from({ length: 50 }, () => here.run('prints-environment')));
    const markers = results.map((result) => /TOOL_CALL_ID=(.*)/u.exec(text(result))?.[1]);
    expect(new Set(markers).size).toBe(50);
    expect(await listLeftDirectories(here.workRoot)).toEqual([]);
    expect(listZombies()).toEqual([]);
    await here.close();
  });

  describe('when the service is killed', () => {
    let workRoot: string;
    let service: ChildProcess;

    beforeEach(async () => {
      workRoot = await mkdtemp(join(tmpdir(), 'killed-service-'));
      service = spawn(process.execPath, ['--import', 'tsx', SERVICE, workRoot, isolation.level], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => service.stdout?.once('data', resolve));
    });
    afterEach(async () => {
      // What a killed service leaves at the level limits, the next one clears away.
      await (await createRunner({ isolation, workRoot, log: () => {} })).close();
      await rm(workRoot, { recursive: true, force: true });
    });

    const findRunning = async (): Promise<string> => {
      const [instance = ''] = await readdir(workRoot);
      const running = (): boolean => listProcesses(tagOf(instance)).some((pid) => isLauncher(pid));
      await expect.poll(running, { timeout: 10_000 }).toBe(true);
      return instance;
    };
    const killService = async (): Promise<string> => {
      const instance = await findRunning();
      service.kill('SIGKILL');
      await new Promise((resolve) => service.once('exit', resolve));
      return instance;
    };

    it('the launcher dies with it', async () => {
      const instance = await killService();
      const alive = (): string[] => listProcesses(tagOf(instance)).filter((pid) => isLauncher(pid));
      await expect.poll(alive, { timeout: 5_000 }).toEqual([]);
    });

    it.runIf(isolation.level === 'namespaces')('all that it started dies with it', async () => {
      const instance = await killService();
      await expect.poll(() => listProcesses(tagOf(instance)), { timeout: 5_000 }).toEqual([]);
    });

    it('the next service clears away its processes and its files', async () => {
      const instance = await killService();
      const next = await createRunner({ isolation, workRoot, log: () => {} });
      expect(listProcesses(tagOf(instance))).toEqual([]);
      expect(await readdir(workRoot)).not.toContain(instance);
      await next.close();
    });

    it('another service that starts beside it leaves its files and processes alone', async () => {
      const instance = await findRunning();
      const beside = await createRunner({ isolation, workRoot, log: () => {} });
      expect(await readdir(workRoot)).toContain(instance);
      await beside.close();
      expect(await killService()).toBe(instance);
    });
  });
});

describe('the working directory of the runner', () => {
  it('is refused when it is a link', async () => {
    const top = await mkdtemp(join(tmpdir(), 'work-root-'));
    await mkdir(join(top, 'real'));
    await symlink(join(top, 'real'), join(top, 'link'));
    const [isolation] = ISOLATIONS;
    const made = createRunner({ isolation: isolation!, workRoot: join(top, 'link'), log: () => {} });
    await expect(made).rejects.toThrow(/does not belong|not a directory that belongs to the service/u);
    await rm(top, { recursive: true });
  });

  it.skipIf(isRoot)('is refused when it belongs to another user', async () => {
    const [isolation] = ISOLATIONS;
    await expect(createRunner({ isolation: isolation!, workRoot: '/usr', log: () => {} })).rejects.toThrow(
      /belongs to the service/u,
    );
  });
});

/** The launcher itself, not the programs that start it: those name it on their command lines as well. */
function isLauncher(pid: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    const starts = words.some((word) => ['bwrap', 'prlimit', 'setpriv'].includes(basename(word)));
    return !starts && words.some((word) => word.includes('/launch'));
  } catch {
    return false;
  }
}

/** Children of this process that have ended and were not fetched. */
function listZombies(): string[] {
  return readdirOfProc().filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' && parent === String(process.pid);
    } catch {
      return false;
    }
  });
}

function readdirOfProc(): string[] {
  return listProcesses('');
}
