import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readFileSet } from '../../src/skills/read-file-set.ts';
import { formatSkillNote } from '../../src/skills/skill-fault.ts';
import { makeDirectory, writeSkill } from './skill-dirs.ts';

const MIB = 1024 * 1024;

function faultsOf(root: string): string[] {
  return readFileSet(root).faults.map(formatSkillNote);
}

describe('readFileSet', () => {
  it('reads every plain file, text or binary, sorted by path, with its execute bit', () => {
    const root = writeSkill(makeDirectory(), 'a', {
      'b.txt': 'b',
      'B.txt': 'B',
      'sub/x.bin': Buffer.from([0, 255]),
    });
    execFileSync('chmod', ['755', join(root, 'b.txt')]);
    const { files, faults, findings } = readFileSet(root);
    expect(files.map(({ path, executable }) => [path, executable])).toEqual([
      ['B.txt', false],
      ['b.txt', true],
      ['sub/x.bin', false],
    ]);
    expect(files[2]?.bytes).toEqual(Buffer.from([0, 255]));
    expect([...faults, ...findings]).toEqual([]);
  });

  it('[D22] refuses a pipe by name and never opens it', { timeout: 5000 }, () => {
    const root = writeSkill(makeDirectory(), 'a', { 'SKILL.md': 'x' });
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(faultsOf(root)).toEqual([expect.stringMatching(/^pipe: is a pipe, socket or device/)]);
  });

  it('[D22] refuses a socket by name', async () => {
    const root = writeSkill(makeDirectory(), 'a', { 'SKILL.md': 'x' });
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 's'), resolve));
    expect(faultsOf(root)).toEqual([expect.stringMatching(/^s: is a pipe, socket or device/)]);
    await new Promise((resolve) => server.close(resolve));
  });

  it('[D22] refuses links to files, to directories and to nowhere', () => {
    const root = writeSkill(makeDirectory(), 'a', { 'SKILL.md': 'x' });
    symlinkSync('/etc/passwd', join(root, 'file'));
    symlinkSync('/etc', join(root, 'directory'));
    symlinkSync('nowhere', join(root, 'dangling'));
    expect(faultsOf(root)).toEqual(
      ['dangling', 'directory', 'file'].map((name) => expect.stringMatching(`^${name}: is a symbolic link`)),
    );
  });

  it('[D22] takes 512 files and refuses 513', () => {
    const root = makeDirectory();
    for (let n = 0; n < 512; n += 1) writeFileSync(join(root, `f${n}`), '');
    expect(readFileSet(root).files).toHaveLength(512);
    expect(faultsOf(root)).toEqual([]);
    writeFileSync(join(root, 'one-more'), '');
    expect(faultsOf(root)).toEqual([expect.stringMatching(/is file number 513; at most 512/)]);
  });

  it('[D22] takes 16 MiB and refuses a byte more', () => {
    const root = writeSkill(makeDirectory(), 'a', { 'SKILL.md': '' });
    writeFileSync(join(root, 'big'), '');
    truncateSync(join(root, 'big'), 16 * MIB);
    expect(faultsOf(root)).toEqual([]);
    writeFileSync(join(root, 'z'), 'x');
    expect(faultsOf(root)).toEqual([expect.stringMatching(/^z: has 1 bytes, which is 1 too many/)]);
  });

  it('[D22] takes six levels and refuses a seventh', () => {
    const root = writeSkill(makeDirectory(), 'a', { '1/2/3/4/5/file': 'x' });
    expect(readFileSet(root).files.map(({ path }) => path)).toEqual(['1/2/3/4/5/file']);
    mkdirSync(join(root, '1/2/3/4/5/6'));
    expect(faultsOf(root)).toEqual([
      expect.stringMatching(/^1\/2\/3\/4\/5\/6: is nested deeper than 6 levels/),
    ]);
  });

  it('[D22] takes a path of 255 bytes and refuses 256', () => {
    const root = writeSkill(makeDirectory(), 'a', { [`d/${'x'.repeat(253)}`]: '' });
    expect(readFileSet(root).files).toHaveLength(1);
    writeFileSync(join(root, `d/${'y'.repeat(254)}`), '');
    expect(faultsOf(root)).toEqual([expect.stringMatching(/has a path of 256 bytes; at most 255/)]);
  });

  it('refuses names that are not portable', () => {
    const root = writeSkill(makeDirectory(), 'a', { 'a\nb': '', 'c\\d': '' });
    expect(faultsOf(root)).toEqual([
      expect.stringMatching(/not portable/),
      expect.stringMatching(/not portable/),
    ]);
  });

  it.each([
    '.DS_Store',
    '.git/config',
    'notes.md~',
    '.SKILL.md.swp',
    '#SKILL.md#',
    '__pycache__/x.pyc',
    'SKILL.md.orig',
  ])('reports %s and leaves it out', (path) => {
    const root = writeSkill(makeDirectory(), 'a', { 'SKILL.md': 'x', [path]: 'left behind' });
    const { files, findings, faults } = readFileSet(root);
    expect(files.map((file) => file.path)).toEqual(['SKILL.md']);
    expect(findings).toEqual([
      { file: path.split('/')[0], message: expect.stringMatching(/left behind/) as string },
    ]);
    expect(faults).toEqual([]);
  });

  it('says so when the directory is not there', () => {
    expect(faultsOf('/nowhere/at/all')).toEqual([expect.stringMatching(/cannot be read \(ENOENT\)/)]);
  });
});

describe('a file that was swapped since it was listed', () => {
  /** readOneFile opens what it is given without a look at it first: all that is left of the race once it is lost. */
  function readInProcess(path: string): string {
    const script =
      "import { readOneFile } from './src/skills/read-file-set.ts'; const read = readOneFile(process.argv[1]);" +
      "process.stdout.write(typeof read === 'string' ? read : 'it was read');";
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, path];
    const { stdout, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 15_000 });
    return signal === null ? stdout : 'it hung';
  }

  it('[D22] is refused when it is a pipe now, and not waited for', { timeout: 20_000 }, () => {
    const pipe = join(makeDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(readInProcess(pipe)).toBe('is not a plain file. Remove it.');
  });

  it('[D22] is refused when it is a link now', { timeout: 20_000 }, () => {
    const root = makeDirectory();
    writeFileSync(join(root, 'secret'), 'x');
    symlinkSync(join(root, 'secret'), join(root, 'link'));
    expect(readInProcess(join(root, 'link'))).toMatch(/^cannot be read \(ELOOP\)/u);
    expect(readInProcess(join(root, 'secret'))).toBe('it was read');
  });
});
