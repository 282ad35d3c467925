import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, openSync, closeSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { RunLimits } from '../../../src/packages/run/run-spec.ts';
import {
  errorText,
  hasCompiler,
  hasPython,
  ISOLATIONS,
  listLeftDirectories,
  listProcesses,
  openRunner,
  text,
  type TestRunner,
} from './sandboxes-here.ts';
import { zooPackage, ZOO } from './zoo-package.ts';

const MIB = 1024 * 1024;

it('finds at least one level of isolation on this machine', () => {
  expect(ISOLATIONS.map((isolation) => isolation.level)).not.toEqual([]);
});

describe.each(ISOLATIONS)('a launcher that misbehaves, at the level $level', (isolation) => {
  let here: TestRunner;
  const limits = (some: Partial<RunLimits>) => ({ limits: some });

  beforeAll(async () => {
    here = await openRunner(isolation);
  });
  afterEach(async () => {
    expect(await listLeftDirectories(here.workRoot), 'no file of a run is left').toEqual([]);
    expect(listProcesses(here.instance), 'no process of a run is left').toEqual([]);
    expect(here.logged).toEqual([]);
  });
  afterAll(async () => here.close());

  describe('that does not end', () => {
    it('sleeps for ever: stopped at the total limit, with what it wrote until then', async () => {
      const result = await here.run('sleeps-for-ever', limits({ timeoutMs: 300 }));
      expect(result).toMatchObject({ outcome: 'timeout' });
      expect(result.exitCode).toBeUndefined();
      expect(text(result)).toBe('started\n');
    });

    it('is silent: stopped at the idle limit, with what it wrote until then', async () => {
      const result = await here.run('prints-nothing-for-long', limits({ idleMs: 300 }));
      expect(result.outcome).toBe('idle');
      expect(text(result)).toBe('half a line');
    });

    it('writes one byte at a time: the idle limit does not stop it, the total limit does', async () => {
      const result = await here.run('drips', limits({ idleMs: 600, timeoutMs: 1_300 }));
      expect(result.outcome).toBe('timeout');
      expect(text(result)).toMatch(/^\.{4,}$/u);
    });

    it('ignores SIGTERM, as its child does: killed after the grace', async () => {
      const result = await here.run('ignores-sigterm', limits({ timeoutMs: 300, graceMs: 150 }));
      expect(result).toMatchObject({ outcome: 'timeout', signal: 'SIGKILL' });
      expect(text(result)).toBe('started\n');
    });

    it('cleans up on SIGTERM: it has the grace to do so, and it is a timeout all the same', async () => {
      const result = await here.run('cleans-up-on-sigterm', limits({ timeoutMs: 300, graceMs: 5_000 }));
      expect(result.outcome).toBe('timeout');
      expect(text(result)).toBe('started\ncleaned up\n');
    });

    it('is aborted by its caller: the reason stands in the result', async () => {
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
      '%s: answers at once, and all are ended',
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
      expect(['disk_limit', 'exited']).toContain(result.outcome);
      if (result.outcome === 'exited') expect(errorText(result)).toContain('File too large');
    });

    it.each(['many-files', 'tmp', 'home'])('files above the limit together (%s): stopped', async (where) => {
      const result = await here.run('fills-disk', { argv: [where], ...limits({ workDirBytes: 8 * MIB }) });
      expect(result.outcome).toBe('disk_limit');
    });

    it.skipIf(!hasPython)('22,000 empty files: stopped', async () => {
      expect((await here.run('makes-empty-files')).outcome).toBe('disk_limit');
    });

    it.skipIf(!hasPython)('more memory than its limit, in Python: fails by itself and says so', async () => {
      const result = await here.run('needs-memory-python', limits({ memoryMb: 256 }));
      expect(result).toMatchObject({ outcome: 'exited', exitCode: 1 });
      expect(errorText(result)).toContain('MemoryError');
    });

    it('more memory than its limit, in Node: fails by itself and says so', async () => {
      const result = await here.run('needs-memory-node', limits({ memoryMb: 600 }));
      expect(result.exitCode === 1 || result.outcome === 'signalled').toBe(true);
      expect(errorText(result)).toMatch(/allocation failed|out of memory/iu);
    });
  });

  describe('that ends in its own way', () => {
    it.each([0, 1, 2, 3, 124, 200, 255])('exit code %i is told as it is', async (code) => {
      const result = await here.run('exits', { argv: [String(code)] });
      expect(result).toMatchObject({ outcome: 'exited', exitCode: code });
      expect(result.signal).toBeUndefined();
    });

    it.each([126, 127])('exit code %i of the program itself is an exit code', async (code) => {
      expect(await here.run('exits', { argv: [String(code)] })).toMatchObject({
        outcome: 'exited',
        exitCode: code,
      });
    });

    it.each([
      ['137', 'SIGKILL'],
      ['139', 'SIGSEGV'],
      ['143', 'SIGTERM'],
    ])('exit code %s is the signal %s, as a shell spells it', async (code, signal) => {
      const result = await here.run('exits', { argv: [code] });
      expect(result).toMatchObject({ outcome: 'signalled', signal });
      expect(result.exitCode).toBeUndefined();
    });

    it.each(['KILL', 'SEGV', 'ABRT', 'TERM'])(
      'killed by SIG%s: the signal is told, and no exit code',
      async (signal) => {
        const result = await here.run('kills-itself', { argv: [signal] });
        expect(result).toMatchObject({ outcome: 'signalled', signal: `SIG${signal}` });
        expect(result.exitCode).toBeUndefined();
        expect(text(result)).toBe('half of it\n');
      },
    );

    it.skipIf(!hasCompiler)('a C program that reads from nowhere: SIGSEGV', async () => {
      const packageDir = mkdtempSync(join(tmpdir(), 'zoo-c-'));
      chmodSync(packageDir, 0o755);
      const launcher = join(packageDir, 'launch');
      execFileSync('/usr/bin/cc', ['-O0', '-o', launcher, join(ZOO, 'segfaults', 'launch.c')]);
      const result = await here.run('segfaults', { launcher, packageDir });
      rmSync(packageDir, { recursive: true });
      expect(result).toMatchObject({ outcome: 'signalled', signal: 'SIGSEGV' });
    });

    it('closes stdin while megabytes of arguments are written to it: its own answer stands', async () => {
      const result = await here.run('closes-stdin', { stdin: 'x'.repeat(4 * MIB) });
      expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
      expect(text(result)).toBe('{"ok": true}\n');
    });

    it('reads stdin: an empty one, or its arguments to the last byte', async () => {
      expect(text(await here.run('reads-stdin'))).toBe('arguments: ');
      const json = JSON.stringify({ text: 'é'.repeat(400_000) });
      const result = await here.run('reads-stdin', { stdin: json });
      expect(result.stdout.totalBytes).toBe(Buffer.byteLength(json) + 'arguments: '.length);
    });
  });

  describe('that cannot start', () => {
    it.each([
      ['empty-file', /empty file/u],
      ['no-shebang', /neither an ELF program nor a script/u],
      ['crlf-shebang', /carriage return/u],
      ['missing-interpreter', /could not be started: No such file or directory/u],
      ['not-executable', /not executable: run `chmod \+x`/u],
      ['launcher-is-a-directory', /not a regular file/u],
      ['is-not-there', /cannot be read \(ENOENT\)/u],
      ['not-a-program', /broken ELF program/u],
    ])('%s: not started, and the reason is a sentence', async (name, reason) => {
      const result = await here.run(name);
      expect(result.outcome).toBe('not_started');
      expect(result.startError).toMatch(reason);
    });

    describe('because it is still being written', () => {
      const packageDir = mkdtempSync(join(tmpdir(), 'zoo-busy-'));
      const launcher = join(packageDir, 'launch');
      let writing = 0;

      beforeAll(() => {
        chmodSync(packageDir, 0o755);
        mkdirSync(packageDir, { recursive: true });
        copyFileSync('/bin/true', launcher);
        chmodSync(launcher, 0o755);
        writing = openSync(launcher, 'r+');
      });
      afterAll(() => rmSync(packageDir, { recursive: true }));

      it('a call is refused with the reason', async () => {
        const result = await here.run('', { launcher, packageDir });
        expect(result).toMatchObject({
          outcome: 'not_started',
          startError: expect.stringContaining('Text file busy'),
        });
      });

      it('the boot waits a little until it is whole', async () => {
        void sleep(200).then(() => closeSync(writing));
        const result = await here.run('', { launcher, packageDir, busyRetryMs: 10_000 });
        expect(result).toMatchObject({ outcome: 'exited', exitCode: 0 });
      });
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
    expect(zooPackage('prints-environment').launcher).toContain('prints-environment');
  });
});
