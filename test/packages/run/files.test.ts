import { mkdir, mkdtemp, readFile, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { BrokerError } from '../../../src/core/broker-error.ts';
import { collectFiles } from '../../../src/packages/run/collect-files.ts';
import { isSafeName, layFiles } from '../../../src/packages/run/lay-files.ts';
import { mediaTypeOf } from '../../../src/packages/run/media-type-of.ts';
import { removeTree } from '../../../src/packages/run/remove-tree.ts';
import type { WorkArea } from '../../../src/packages/run/work-area.ts';
import { INSIDE } from '../../../src/packages/run/bubblewrap-arguments.ts';

let top: string;
let area: WorkArea;

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'files-test-')));
  const work = join(top, 'work');
  await mkdir(join(work, 'out'), { recursive: true });
  await writeFile(join(top, 'outside.txt'), 'untouched');
  const places = { home: top, tmp: top, directory: top, work };
  area = { ...places, marker: 'x', uid: undefined, remove: async () => {} };
});
afterEach(async () => rm(top, { recursive: true, force: true }));

const collect = (data?: Parameters<typeof collectFiles>[0]['data'], maxBytes = 1_000_000) =>
  collectFiles({ workDir: area.work, data, zipName: 'files.zip', maxBytes });
const out = (name: string): string => join(area.work, 'out', name);

describe('[S2.3-12] layFiles', () => {
  it('lays files into the working directory, readable by the run alone', async () => {
    await layFiles(area, [{ name: 'data.csv', bytes: Buffer.from('a,b\n') }]);
    expect(await readFile(join(area.work, 'data.csv'), 'utf8')).toBe('a,b\n');
    expect((await stat(join(area.work, 'data.csv'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    '../outside.txt',
    '/etc/passwd',
    'a/b.txt',
    'a\\b.txt',
    '..',
    '.',
    '',
    'a\0b',
    'a\nb',
    '\uD800',
    'é'.repeat(128),
  ])('refuses the name %j', async (name) => {
    expect(isSafeName(name)).toBe(false);
    const refused = layFiles(area, [{ name, bytes: Buffer.from('x') }]);
    await expect(refused).rejects.toThrow(BrokerError);
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await readdir(area.work)).toEqual(['out']);
  });

  it('takes a name of 255 bytes', () => {
    expect(isSafeName('x'.repeat(255))).toBe(true);
  });

  it('refuses a name twice, and the name of the directory for results', async () => {
    const file = { name: 'a', bytes: Buffer.from('x') };
    await expect(layFiles(area, [file, file])).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(layFiles(area, [{ ...file, name: 'out' }])).rejects.toThrow(/"out" is already taken/u);
  });

  it('writes through no link that a waiting process has left there', async () => {
    await symlink(join(top, 'outside.txt'), join(area.work, 'data.csv'));
    const laid = layFiles(area, [{ name: 'data.csv', bytes: Buffer.from('x') }]);
    await expect(laid).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await readFile(join(top, 'outside.txt'), 'utf8')).toBe('untouched');
  });
});

describe('[S2.3-11] collectFiles', () => {
  it('gives nothing when nothing was left', async () => {
    expect(await collect({ rows: 1 })).toEqual({ notes: [] });
  });

  it('gives one file as it is', async () => {
    await writeFile(out('table.csv'), 'a,b\n');
    const { file } = await collect();
    expect(file).toMatchObject({ name: 'table.csv', mediaType: 'text/csv' });
  });

  it('packs several into one zip, the same bytes each time', async () => {
    await mkdir(out('sub'));
    await writeFile(out('a.txt'), 'one');
    await writeFile(out('sub/b.txt'), 'two');
    const [first, second] = [await collect(), await collect()];
    expect(first.file).toMatchObject({ name: 'files.zip', mediaType: 'application/zip' });
    expect(first.file?.bytes).toEqual(second.file?.bytes);
    const packed = unzipSync(first.file?.bytes ?? new Uint8Array());
    expect(Object.keys(packed)).toEqual(['a.txt', 'sub/b.txt']);
    expect(Buffer.from(packed['sub/b.txt'] ?? []).toString()).toBe('two');
  });

  it.each([
    ['a string', 'chart.svg'],
    ['a list', ['chart.svg']],
    ['an object with a path', [{ path: 'chart.svg', title: 'Chart' }]],
    ['the path that the program sees', `${INSIDE.work}/chart.svg`],
    ['the same file twice', ['chart.svg', './chart.svg', 'x/../chart.svg']],
  ])('takes what the JSON names: %s', async (_what, named) => {
    await writeFile(join(area.work, 'chart.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    for (const key of ['artifacts', 'images', 'plots']) {
      const { file, notes } = await collect({ [key]: named });
      expect(file).toMatchObject({ name: 'chart.svg', mediaType: 'image/svg+xml' });
      expect(notes).toEqual([]);
    }
  });

  it.each([
    ['../outside.txt', 'lies outside the working directory'],
    ['../../../../etc/passwd', 'lies outside the working directory'],
    ['/etc/passwd', 'lies outside the working directory'],
    ['link.txt', 'is a link'],
    ['way/outside.txt', 'is reached through a link'],
    ['missing.png', 'does not exist'],
    ['out', 'is not a regular file'],
    ['a\u0001b', 'has a name that cannot be used'],
  ])('leaves out %j and says why: %s', async (path, reason) => {
    await symlink(join(top, 'outside.txt'), join(area.work, 'link.txt'));
    await symlink(top, join(area.work, 'way'));
    const { file, notes } = await collect({ artifacts: [path] });
    expect(file).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining(reason)]);
  });

  it('takes 64 files and not one more', async () => {
    for (let number = 1; number <= 64; number += 1) await writeFile(out(`${number}.txt`), 'x');
    expect((await collect()).file?.name).toBe('files.zip');
    await writeFile(out('65.txt'), 'x');
    expect(await collect()).toMatchObject({ tooLarge: expect.stringContaining('64 files') });
  });

  it('takes a file of the limit and not one byte more, nor two that are more together', async () => {
    await writeFile(out('a.bin'), Buffer.alloc(1_000));
    expect((await collect(undefined, 1_000)).file?.bytes.byteLength).toBe(1_000);
    expect(await collect(undefined, 999)).toMatchObject({ tooLarge: expect.stringContaining('999 bytes') });
    await writeFile(out('b.bin'), Buffer.alloc(1_000));
    expect((await collect(undefined, 1_999)).file).toBeUndefined();
  });
});

describe('mediaTypeOf', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  it.each([
    ['a.png', png, 'image/png', false],
    ['a', png, 'image/png', false],
    ['a.unknown', png, 'image/png', false],
    ['a.jpg', png, 'image/png', true],
    ['a.csv', png, 'image/png', true],
    ['a.png', Buffer.from('text'), 'application/octet-stream', true],
    ['a.csv', Buffer.from('a,b\n'), 'text/csv', false],
    ['a.CSV', Buffer.from('a,b\n'), 'text/csv', false],
    ['a.csv', Buffer.from([0, 1, 2]), 'application/octet-stream', true],
    ['a.html', Buffer.from('<!doctype html>'), 'text/html', false],
    ['a.svg', Buffer.from('<?xml version="1.0"?><svg/>'), 'image/svg+xml', false],
    ['a.ics', Buffer.from('BEGIN:VCALENDAR\n'), 'text/calendar', false],
    ['a.pdf', Buffer.from('%PDF-1.7\n'), 'application/pdf', false],
    ['a.parquet-like', Buffer.from([0, 1, 2]), 'application/octet-stream', false],
    ['empty.txt', Buffer.alloc(0), 'text/plain', false],
  ])('%s is decided by its bytes first', async (name, bytes, ...[mediaType, isMisnamed]) => {
    expect(await mediaTypeOf(name, bytes)).toEqual({ mediaType, isMisnamed });
  });
});

describe('removeTree', () => {
  it('follows no link', async () => {
    await symlink(top, join(area.work, 'way'));
    await removeTree(area.work);
    expect(await readFile(join(top, 'outside.txt'), 'utf8')).toBe('untouched');
    expect(await readdir(top)).toEqual(['outside.txt']);
  });

  it('is content when there is nothing', async () => {
    await expect(removeTree(join(top, 'nothing'))).resolves.toBeUndefined();
  });
});
