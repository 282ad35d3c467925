import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { hasCompiler, ISOLATIONS, openRunner, text, type TestRunner } from './sandboxes-here.ts';
import { ZOO } from './zoo-package.ts';

const MIB = 1024 * 1024;

describe.each(ISOLATIONS)('a launcher that ends or does not start, at the level $level', (isolation) => {
  let here: TestRunner;

  beforeAll(async () => {
    here = await openRunner(isolation);
  });
  afterEach(async () => here.checkNothingLeft());
  afterAll(async () => here.close());

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
      ['empty-file', /The launcher is empty\./u],
      ['no-shebang', /expected "#!" and an interpreter, or an ELF program/u],
      ['crlf-shebang', /first line that ends in CR LF/u],
      ['missing-interpreter', /needs the interpreter .*, which this machine lacks/u],
      ['not-executable', /is not executable \(chmod \+x\)/u],
      ['launcher-is-a-directory', /is not a regular file/u],
      ['is-not-there', /is missing/u],
      ['not-a-program', /broken header/u],
    ])('%s: not started, and the reason is a sentence', async (name, reason) => {
      const result = await here.run(name);
      expect(result.outcome).toBe('not_started');
      expect(result.startError).toMatch(reason);
    });

    it('an interpreter that the sandbox does not show: not started, and no path of this machine is told', async () => {
      const packageDir = mkdtempSync(join(tmpdir(), 'zoo-hidden-'));
      chmodSync(packageDir, 0o755);
      const interpreter = join(packageDir, 'interpreter');
      copyFileSync('/bin/sh', interpreter);
      const launcher = join(packageDir, 'launch');
      writeFileSync(launcher, `#!${interpreter}\necho started\n`, { mode: 0o755 });
      const result = await here.run('', { launcher, packageDir });
      rmSync(packageDir, { recursive: true });
      const hidden = {
        outcome: 'not_started',
        startError: 'The launcher could not be started: No such file or directory.',
      };
      expect(result).toMatchObject(
        isolation.level === 'namespaces' ? hidden : { outcome: 'exited', exitCode: 0 },
      );
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
});
