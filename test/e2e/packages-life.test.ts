import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcesses } from '../packages/run/sandboxes-here.ts';
import { keys, leftOnDisk } from './service.ts';
import { canIsolate, hasShipped, openPackages, type PackagesService } from './packages-service.ts';

/** The three shipped commands take their arguments on stdin, so that one process of each waits for a call. */
const NOTHING = { directories: hasShipped ? 3 : 0, files: [] };

let here: PackagesService;

beforeAll(async () => {
  here = await openPackages();
}, 60_000);

afterAll(async () => here.close());

describe.skipIf(!canIsolate)('calls at once (needs prlimit and setpriv)', () => {
  it('[S2.3-18.6] of one caller hold half of the places and half of the queue; the rest is 503 and starts nothing', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, index) =>
        here.service.invoke('waits', { seconds: 1, token: `n${index}` }),
      ),
    );
    const spans = answers
      .filter(({ status }) => status === 200)
      .map(({ json }) => json.output?.['data'] as { from: number; to: number });
    expect(spans).toHaveLength(4);
    const atOnce = spans.map(
      ({ from }) => spans.filter((span) => span.from <= from && from < span.to).length,
    );
    expect(Math.max(...atOnce)).toBeLessThanOrEqual(2);
    const refused = answers.filter(({ status }) => status !== 200);
    for (const { status, json, headers } of refused) {
      expect({ status, json }).toMatchObject({ status: 503, json: { error: 'OVERLOADED', retryable: true } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  it('[S2.3-18.2] end with all their descendants when the client leaves, and nothing is left', async () => {
    const token = `left-${process.pid}`;
    const leave = new AbortController();
    const call = here.service.invoke('waits', { seconds: 600, token }, { signal: leave.signal });
    await expect.poll(() => listProcesses(`: ${token} apart`).length, { timeout: 10_000 }).toBeGreaterThan(0);
    leave.abort();
    await expect(call).rejects.toThrow('aborted');
    await expect.poll(() => listProcesses(token), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => leftOnDisk(here.service), { timeout: 5_000 }).toEqual(NOTHING);
  });
});

describe.skipIf(!canIsolate)('a service that is told to stop (needs prlimit and setpriv)', () => {
  it('lets short calls finish, ends long ones with their descendants, and leaves nothing', async () => {
    const stopping = await here.start({ SHUTDOWN_GRACE_MS: '2500' });
    const token = `stop-${process.pid}`;
    const short = stopping.invoke('waits', { seconds: 1, token: `${token}-short` }, { key: keys.bob });
    const long = stopping.invoke('waits', { seconds: 600, token }).catch(() => undefined);
    await expect.poll(() => listProcesses(`: ${token} apart`).length, { timeout: 10_000 }).toBeGreaterThan(0);

    expect(await stopping.stop()).toBe(0);

    expect((await short).json).toMatchObject({ ok: true });
    expect((await long)?.json).toMatchObject({ ok: false, error: 'TIMEOUT' });
    expect(listProcesses(token)).toEqual([]);
    expect(leftOnDisk(stopping)).toEqual({ directories: 0, files: [] });
  }, 40_000);
});

describe.skipIf(!canIsolate)('a package that changes after the start (needs prlimit and setpriv)', () => {
  it('[S2.3-18.7] is listed and described as before without its launcher, and a call is 502 TOOL_BROKEN', async () => {
    const own = join(here.root, 'own');
    await cp(here.prebuilt, own, { recursive: true });
    const changing = await here.start({ PACKAGES_DIR: own });
    try {
      const launch = join(own, 'odd-jobs/launch');
      await rm(launch);
      expect((await changing.ask('GET /v1/tools?origin=package:odd-jobs')).json.tools).toHaveLength(6);
      expect((await changing.ask('GET /v1/tools/ends')).status).toBe(200);
      expect(await changing.invoke('ends', { code: 0 })).toMatchObject({
        status: 502,
        json: { ok: false, error: 'TOOL_BROKEN', message: 'ends did not start: The launcher is missing.' },
      });

      await writeFile(launch, '#!/bin/sh\necho changed\n', { mode: 0o755 });
      const changed = await changing.invoke('ends', { code: 0 });
      expect(changed).toMatchObject({
        status: 502,
        json: {
          error: 'TOOL_BROKEN',
          message: expect.stringContaining('has changed since the service started'),
        },
      });
      expect(JSON.stringify(changed.json)).not.toContain(own);

      await cp(join(here.prebuilt, 'odd-jobs/launch'), launch);
      expect((await changing.invoke('ends', { code: 0 })).json.ok).toBe(true);
    } finally {
      await changing.stop();
    }
  }, 40_000);
});

describe.skipIf(!canIsolate)('after all of this (needs prlimit and setpriv)', () => {
  it('nothing of a call is left on the disk', async () => {
    await expect.poll(() => leftOnDisk(here.service), { timeout: 5_000 }).toEqual(NOTHING);
    expect(await here.service.stop()).toBe(0);
    expect(leftOnDisk(here.service)).toEqual({ directories: 0, files: [] });
  });
});
