import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { StartSpec } from '../../../src/packages/run/run-spec.ts';
import { createWarmPool, type WarmPool } from '../../../src/packages/run/warm-pool.ts';
import {
  hasPython,
  ISOLATIONS,
  listLeftDirectories,
  listProcesses,
  openRunner,
  text,
  type TestRunner,
} from './sandboxes-here.ts';
import { zooPackage } from './zoo-package.ts';

interface Echo {
  got: unknown;
  files: string[];
  call: string;
}

describe.skipIf(!hasPython).each(ISOLATIONS)('a warm pool at the level $level', (isolation) => {
  let here: TestRunner;
  let pool: WarmPool;

  beforeEach(async () => {
    here = await openRunner(isolation);
    pool = createWarmPool({ runner: here.runner, maxWaiting: 2, maxWaitMs: 60_000 });
  });
  afterEach(async () => {
    await pool.close();
    await here.checkNothingLeft();
    await here.close();
  });

  const start: StartSpec = { ...zooPackage('warm-echo'), argv: ['echo', '-'] };
  const waiting = (): string[] =>
    listProcesses('launch echo -').filter((pid) => listProcesses(here.tag).includes(pid));

  async function callOfWaiting(): Promise<string | undefined> {
    await expect.poll(() => waiting().length).toBeGreaterThan(0);
    const environment = readFileSync(`/proc/${waiting()[0]}/environ`, 'latin1').split('\0');
    return environment
      .find((variable) => variable.startsWith('TOOL_CALL_ID='))
      ?.slice('TOOL_CALL_ID='.length);
  }

  async function echo(
    args: unknown,
    more: { files?: { name: string; bytes: Buffer }[]; spec?: StartSpec } = {},
  ): Promise<Echo> {
    const { result } = await pool.run('echo', more.spec ?? start, {
      stdin: JSON.stringify(args),
      files: more.files ?? [],
    });
    return JSON.parse(text(result)) as Echo;
  }

  it('hands the arguments and files to a process that was started before them', async () => {
    await pool.prepare('echo', start);
    expect(pool.size()).toBe(1);
    const waitingCall = await callOfWaiting();
    const answer = await echo({ n: 1 }, { files: [{ name: 'late.csv', bytes: Buffer.from('a') }] });
    expect(answer).toMatchObject({ got: { n: 1 }, files: ['late.csv', 'out'] });
    // The waiting one, not a new one.
    expect(answer.call).toBe(waitingCall);
  });

  it('uses each process for one call: the next one finds nothing of the one before', async () => {
    await pool.prepare('echo', start);
    const first = await echo({ n: 1 }, { files: [{ name: 'mine.csv', bytes: Buffer.from('a') }] });
    const second = await echo({ n: 2 });
    expect(second).toMatchObject({ got: { n: 2 }, files: ['out'] });
    expect(second.call).not.toBe(first.call);
  });

  it('starts the next one after a call', async () => {
    await echo({ n: 1 });
    await expect.poll(() => pool.size()).toBe(1);
  });

  it('gives two calls at once a process each', async () => {
    await pool.prepare('echo', start);
    const both = await Promise.all([echo({ n: 1 }), echo({ n: 2 })]);
    expect(both.map((answer) => answer.got)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(both[0]?.call).not.toBe(both[1]?.call);
  });

  it('starts a new process when the waiting one has died', async () => {
    await pool.prepare('echo', start);
    await expect.poll(() => waiting().length).toBeGreaterThan(0);
    for (const pid of waiting()) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It ended with another one.
      }
    }
    await expect.poll(() => pool.size()).toBe(0);
    expect(await echo({ n: 1 })).toMatchObject({ got: { n: 1 } });
  });

  it('does not start one that ends without waiting over and over', async () => {
    await pool.prepare('echo', { ...start, env: { DIE_EARLY: 'yes' } });
    await expect.poll(() => pool.size()).toBe(0);
    await sleep(300);
    expect(await listLeftDirectories(here.workRoot)).toEqual([]);
  });

  it('keeps no more than its limit waiting: the oldest makes room', async () => {
    for (const key of ['a', 'b', 'c']) await pool.prepare(key, start);
    expect(pool.size()).toBe(2);
    await expect.poll(async () => (await listLeftDirectories(here.workRoot)).length).toBe(2);
  });

  it('starts one process for a key, however often it is asked', async () => {
    await Promise.all([
      pool.prepare('echo', start),
      pool.prepare('echo', start),
      pool.prepare('echo', start),
    ]);
    expect(await listLeftDirectories(here.workRoot)).toHaveLength(1);
  });

  it('ends a process that has waited too long', async () => {
    const hasty = createWarmPool({ runner: here.runner, maxWaiting: 1, maxWaitMs: 100 });
    await hasty.prepare('echo', start);
    await expect.poll(() => hasty.size()).toBe(0);
    await expect.poll(async () => listLeftDirectories(here.workRoot)).toEqual([]);
    await hasty.close();
  });

  it('ends a waiting process when the runner is closed', async () => {
    await pool.prepare('echo', start);
    await here.runner.close();
    expect(listProcesses(here.tag)).toEqual([]);
  });

  it('does not start anything after it is closed', async () => {
    await pool.close();
    await pool.prepare('echo', start);
    expect(pool.size()).toBe(0);
  });

  it('starts nothing when nothing may wait', async () => {
    const cold = createWarmPool({ runner: here.runner, maxWaiting: 0, maxWaitMs: 1_000 });
    await cold.prepare('echo', start);
    expect(cold.size()).toBe(0);
  });

  it('refuses a file name that cannot be used, and leaves nothing of the waiting process', async () => {
    await pool.prepare('echo', start);
    const refused = pool.run('echo', start, {
      stdin: '{}',
      files: [{ name: '../x', bytes: Buffer.from('') }],
    });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
