import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findLauncherFault } from '../../src/packages/check-launcher.ts';
import { makeDirectory } from './build/support.ts';

async function faultOf(bytes: string | Uint8Array, mode = 0o755): Promise<string | undefined> {
  const path = join(await makeDirectory(), 'launch');
  await writeFile(path, bytes);
  await chmod(path, mode);
  return findLauncherFault(path);
}

/** The start of a 64-bit little-endian ELF file. */
function elf(kind: number, machine: number): Buffer {
  const head = Buffer.alloc(64);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  head.writeUInt16LE(kind, 16);
  head.writeUInt16LE(machine, 18);
  return head;
}

const OWN_MACHINE = { x64: 62, arm64: 183 }[process.arch as 'x64' | 'arm64'];

describe('findLauncherFault', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['an empty file', '', 'is empty'],
    ['no shebang', 'echo hi\n', 'begins with "echo hi'],
    ['a byte order mark before the shebang', '\uFEFF#!/bin/sh\n', 'begins with'],
    ['a shebang that ends in CR LF', '#!/bin/sh\r\necho\r\n', 'ends in CR LF'],
    ['a shebang without an interpreter', '#!\n', 'names the interpreter ""'],
    [
      'a relative interpreter',
      '#!python3\n',
      'names the interpreter "python3" in its first line; expected an absolute path',
    ],
    [
      'an interpreter that is missing',
      '#!/opt/no/such/python3 -s\n',
      'needs the interpreter "/opt/no/such/python3", which this machine lacks',
    ],
    ['an interpreter that is a directory', '#!/usr\n', 'which this machine lacks'],
    ['a broken ELF header', Buffer.from('\x7fELFgarbage', 'latin1'), 'broken header'],
    ['an ELF object that is no program', elf(1, OWN_MACHINE), 'is an ELF file but not a program'],
    ['an ELF program of another processor', elf(2, 8), 'is a program for another processor'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]), 'begins with'],
  ])('refuses %s, which a shell would else run or nothing could', async (_title, bytes, message) => {
    expect(await faultOf(bytes)).toContain(message);
  });

  it.each([
    ['a script', '#!/bin/sh\n'],
    ['a script through env', '#!/usr/bin/env node\n'],
    ['a script with an argument and blanks', '#! /bin/sh -e\n'],
    ['a script without a line end', '#!/bin/sh'],
  ])('accepts %s', async (_title, text) => {
    expect(await faultOf(text)).toBeUndefined();
  });

  it('accepts a program of this machine', async () => {
    expect(
      await faultOf(await readFile(process.execPath).then((bytes) => bytes.subarray(0, 4_096))),
    ).toBeUndefined();
  });

  it('refuses a file that may not be executed, a directory, a link and nothing at all', async () => {
    const directory = await makeDirectory();
    await mkdir(join(directory, 'd'));
    await symlink('/bin/sh', join(directory, 'link'));

    expect(await faultOf('#!/bin/sh\n', 0o644)).toBe('is not executable (chmod +x)');
    expect(await findLauncherFault(join(directory, 'd'))).toBe('is not a regular file');
    expect(await findLauncherFault(join(directory, 'link'))).toBe('is not a regular file');
    expect(await findLauncherFault(join(directory, 'none'))).toBe('is missing');
  });
});
