import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { RunLimits } from '../../../src/packages/run/run-spec.ts';
import { errorText, hasPython, ISOLATIONS, openRunner, text, type TestRunner } from './sandboxes-here.ts';

const MIB = 1024 * 1024;

describe.each(ISOLATIONS)('a launcher that takes too much, at the level $level', (isolation) => {
  let here: TestRunner;
  const limits = (some: Partial<RunLimits>) => ({ limits: some });

  beforeAll(async () => {
    here = await openRunner(isolation);
  });
  afterEach(async () => here.checkNothingLeft());
  afterAll(async () => here.close());

  describe('that writes too much', () => {
    it.each(['stdout', 'stderr', 'both'])(
      '200 MiB on %s: read to the end, 1 MiB kept, memory flat',
      async (stream) => {
        await here.run('floods', { argv: [stream, '8'] });
        const before = process.memoryUsage.rss();
        const result = await here.run('floods', { argv: [stream, '200'] });
        const grownMiB = (process.memoryUsage.rss() - before) / MIB;
        expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
        const flooded =
          stream === 'both'
            ? [result.stdout, result.stderr]
            : [stream === 'stdout' ? result.stdout : result.stderr];
        for (const kept of flooded) {
          expect(kept).toMatchObject({ totalBytes: 200 * MIB, truncated: true });
          expect(kept.head.length + kept.tail.length).toBe(MIB);
        }
        expect(grownMiB).toBeLessThan(64);
      },
    );

    it('more than the hard limit: stopped', async () => {
      const result = await here.run('floods', {
        argv: ['stdout', '64'],
        ...limits({ maxOutputBytes: 8 * MIB }),
      });
      expect(result.outcome).toBe('output_limit');
    });

    it('one file above the limit: stopped', async () => {
      const result = await here.run('fills-disk', {
        argv: ['one-file'],
        ...limits({ workDirBytes: 4 * MIB }),
      });
      expect(result.outcome).toBe('disk_limit');
    });

    it.each(['many-files', 'tmp', 'home'])('files above the limit together (%s): stopped', async (where) => {
      const result = await here.run('fills-disk', { argv: [where], ...limits({ workDirBytes: 8 * MIB }) });
      expect(result.outcome).toBe('disk_limit');
    });

    it.skipIf(!hasPython)('more files than the limit, all of them empty: stopped', async () => {
      expect((await here.run('makes-empty-files', limits({ maxWorkDirEntries: 300 }))).outcome).toBe(
        'disk_limit',
      );
    });

    it.skipIf(!hasPython)('more memory than its limit, in Python: fails by itself and says so', async () => {
      const result = await here.run('needs-memory-python', limits({ memoryMb: 256 }));
      expect(result).toMatchObject({ outcome: 'exited', exitCode: 1 });
      expect(errorText(result)).toContain('MemoryError');
    });

    it('more memory than its limit, in Node: fails by itself and says so', async () => {
      const result = await here.run('needs-memory-node', limits({ memoryMb: 900 }));
      expect(result.exitCode === 1 || result.outcome === 'signalled').toBe(true);
      expect(errorText(result)).toMatch(/allocation failed|failed to allocate|out of memory/iu);
    });
  });

  describe('that makes its directory hard to remove', () => {
    it.skipIf(!hasPython).each(['locks-directories', 'nests-deep'])(
      '%s: removed all the same',
      async (name) => {
        expect((await here.run(name)).outcome).toBe('exited');
      },
    );
  });

  it('lists 100,000 commands: its list is kept up to the limit, and marked as cut', async () => {
    const { stdout } = await here.run('lists-100000');
    expect(stdout.truncated).toBe(true);
    expect(stdout.head.length + stdout.tail.length).toBe(MIB);
  });

  it('is run twice at once by the same package: each in its own directory', async () => {
    const both = await Promise.all([here.run('prints-environment'), here.run('prints-environment')]);
    const markers = both.map((result) => /TOOL_CALL_ID=(.*)/u.exec(text(result))?.[1]);
    expect(new Set(markers).size).toBe(2);
  });
});
