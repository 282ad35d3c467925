import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { RunLimits } from '../../../src/packages/run/run-spec.ts';
import { hasPython, ISOLATIONS, listProcesses, openRunner, text, type TestRunner } from './sandboxes-here.ts';

describe.each(ISOLATIONS)('a launcher that does not end by itself, at the level $level', (isolation) => {
  let here: TestRunner;
  const limits = (some: Partial<RunLimits>) => ({ limits: some });

  beforeAll(async () => {
    here = await openRunner(isolation);
  });
  afterEach(async () => here.checkNothingLeft());
  afterAll(async () => here.close());

  describe('that does not end', () => {
    it('[S2.2.2-2] sleeps for ever: stopped at the total limit, with what it wrote until then', async () => {
      const result = await here.run('sleeps-for-ever', limits({ timeoutMs: 1_000 }));
      expect(result).toMatchObject({ outcome: 'timeout' });
      expect(result.exitCode).toBeUndefined();
      expect(text(result)).toBe('started\n');
    });

    it('[S2.2.2-2] is silent: stopped at the idle limit, with what it wrote until then', async () => {
      const result = await here.run('prints-nothing-for-long', limits({ idleMs: 1_000 }));
      expect(result.outcome).toBe('idle');
      expect(text(result)).toBe('half a line');
    });

    it('writes one byte at a time: the idle limit does not stop it, the total limit does', async () => {
      const result = await here.run('drips', limits({ idleMs: 1_500, timeoutMs: 2_500 }));
      expect(result.outcome).toBe('timeout');
      expect(text(result)).toMatch(/^\.{4,}$/u);
    });

    it('ignores SIGTERM, as its child does: killed after the grace', async () => {
      const result = await here.run('ignores-sigterm', limits({ timeoutMs: 1_000, graceMs: 150 }));
      expect(result).toMatchObject({ outcome: 'timeout', signal: 'SIGKILL' });
      expect(text(result)).toBe('started\n');
    });

    it('cleans up on SIGTERM: it has the grace to do so, and it is a timeout all the same', async () => {
      const result = await here.run('cleans-up-on-sigterm', limits({ timeoutMs: 1_000, graceMs: 5_000 }));
      expect(result.outcome).toBe('timeout');
      expect(text(result)).toBe('started\ncleaned up\n');
    });

    it('[S2.3-18.2] is aborted by its caller: the reason stands in the result', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort('disconnect'), 200);
      const result = await here.run('sleeps-for-ever', { signal: controller.signal });
      expect(result).toMatchObject({ outcome: 'aborted', abortReason: 'disconnect' });
    });

    it('is aborted at the deadline of its call: a timeout', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort({ reason: 'deadline' }), 200);
      expect((await here.run('sleeps-for-ever', { signal: controller.signal })).outcome).toBe('timeout');
    });

    it('was aborted before it began: ended at once', async () => {
      const result = await here.run('sleeps-for-ever', { signal: AbortSignal.abort('disconnect') });
      expect(result.outcome).toBe('aborted');
    });
  });

  describe('that leaves processes', () => {
    it.each(['leaves-grandchild', 'leaves-setsid'])(
      '[S2.3-18.1] %s: answers at once, and all are ended',
      async (name) => {
        const result = await here.run(name);
        expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
        expect(text(result)).toBe('done\n');
      },
    );

    it.skipIf(isolation.level === 'limits' && !isolation.ownUid)(
      'with an empty environment: ended too, by the namespace or by its user id',
      async () => {
        const seconds = `99${process.pid}`;
        expect(text(await here.run('clears-environment', { argv: [seconds] }))).toBe('done\n');
        expect(listProcesses(`sleep ${seconds}`)).toEqual([]);
      },
    );

    it
      .skipIf(!hasPython || !(isolation.ownUid || isolation.ownUserNamespace))
      .each(['fork-bomb', 'fork-bomb-setsid'])(
      '%s: held at the limit of processes, and all are ended at the total limit',
      async (name) => {
        const result = await here.run(name, limits({ timeoutMs: 700, graceMs: 50 }));
        expect(result.outcome).toBe('timeout');
      },
    );
  });
});
