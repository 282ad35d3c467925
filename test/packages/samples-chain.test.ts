import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildPackages } from '../../src/packages/build/build-packages.ts';
import { runWithRunner } from '../../src/packages/build/run-with-runner.ts';
import type { DiscoveredPackage } from '../../src/packages/discovered-package.ts';
import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import { discoverPackages } from '../../src/packages/run/discover-packages.ts';
import { createRunner, type Runner } from '../../src/packages/run/runner.ts';
import { lockTextStats } from './locked-text-stats.ts';

const pythonSources = lockTextStats();
const hasPython = pythonSources !== undefined;

interface Called {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** What was left in `out/`. */
  readonly files: readonly { readonly name: string; readonly bytes: Buffer }[];
}

let root: string;
let runner: Runner;
let packages: readonly DiscoveredPackage[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'samples-test-'));
  const isolation = await detectIsolation();
  runner = await createRunner({ isolation, workRoot: join(root, 'work'), log: () => undefined });
  const build = async (sources: string, names: string[]) =>
    buildPackages({
      sources,
      output: join(root, 'prebuilt'),
      names,
      force: false,
      run: runWithRunner(runner),
      tools: { environment: process.env },
      log: () => undefined,
    });
  await build(resolve('tool-packages'), ['csv-column-summary', 'data-fetch']);
  if (pythonSources !== undefined) await build(pythonSources, ['text-stats']);
  ({ packages } = await discoverPackages(join(root, 'prebuilt')));
}, 240_000);

afterAll(async () => {
  await runner.close();
  await rm(root, { recursive: true, force: true });
  if (pythonSources !== undefined) await rm(pythonSources, { recursive: true, force: true });
});

/** Runs a command as a call does: sandboxed, in a directory of its own that holds `files`. */
async function call(command: string, args: object | string, files: Called['files'] = []): Promise<Called> {
  const owner = packages.find(({ commands }) => commands.some(({ name }) => name === command));
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  const { result, harvest } = await runner.run({
    launcher: owner?.launcher ?? '',
    packageDir: owner?.directory ?? '',
    argv: [command, json],
    files,
    harvest: async (_result, workDir) => readOut(join(workDir, 'out')),
  });
  return {
    exitCode: result.exitCode,
    stdout: result.stdout.head.toString('utf8'),
    stderr: result.stderr.head.toString('utf8'),
    files: harvest ?? [],
  };
}

async function readOut(directory: string): Promise<Called['files']> {
  const names = await readdir(directory).catch(() => []);
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(directory, name)) })));
}

describe('the samples', () => {
  it('[S2-25] [S2-16] are one package with one command, one with two, and one in Python where uv is there', () => {
    expect(packages.map(({ name, commands }) => [name, ...commands.map((command) => command.name)])).toEqual(
      [
        ['csv-column-summary', 'plot', 'summarise'],
        ['data-fetch', 'data-fetch'],
        ['text-stats', 'text_stats'],
      ].slice(0, hasPython ? 3 : 2),
    );
  });

  it('[S2-32.13] describe themselves with when to use them, examples that fit their schema, and what goes wrong', () => {
    for (const { spec } of packages.flatMap(({ commands }) => commands)) {
      const validator = Compile(spec.inputSchema as object);
      expect(spec.examples?.length).toBeGreaterThan(0);
      expect(spec.examples?.map((example) => validator.Check(example.arguments))).not.toContain(false);
      expect(spec.triggers?.length).toBeGreaterThan(0);
      expect(spec.returns?.description).not.toBe('');
      expect(spec.errors?.length).toBeGreaterThan(0);
      expect(spec.description).toMatch(/Use (it|when)/u);
      expect(spec.description).toContain('Do not use it');
    }
  });

  it.each(['summarise', 'plot', 'data-fetch', ...(hasPython ? ['text_stats'] : [])])(
    '[S2-32.13] [S2-26] %s answers bad arguments on stderr, with exit code 2 and nothing on stdout',
    async (command) => {
      for (const json of ['{', '[]', '{}', '{"no_such_argument":1}']) {
        const { exitCode, stdout, stderr } = await call(command, json);
        expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
        expect(stderr).toContain(`${command}: the arguments are not`);
      }
    },
    60_000,
  );

  it('[S2-32.13] fetch, summarise and plot in a chain of files, each call in a sandbox of its own', async () => {
    const fetched = await call('data-fetch', { source: 'demo:sales', save_as: 'sales' });
    expect(fetched).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(fetched.stdout)).toEqual({
      name: 'sales.csv',
      path: 'out/sales.csv',
      rows: 96,
      columns: ['month', 'region', 'units', 'revenue', 'returns'],
    });
    expect(fetched.files.map(({ name }) => name)).toEqual(['sales.csv']);

    const summed = await call('summarise', { csv: 'sales.csv' }, fetched.files);
    expect(summed).toMatchObject({ exitCode: 0, stderr: '', files: [] });
    expect(JSON.parse(summed.stdout)).toMatchObject({
      rows: 96,
      columns: [
        { type: 'date' },
        { type: 'text', distinct: 4 },
        { type: 'number' },
        { type: 'number' },
        { missing: 1 },
      ],
    });

    const wish = { csv: 'sales.csv', kind: 'line', x: 'month', y: 'revenue', group: 'region' };
    const drawn = await call('plot', wish, fetched.files);
    expect(drawn).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(drawn.stdout)).toMatchObject({ images: ['out/plot.svg'], rows_drawn: 96 });
    expect(drawn.files.map(({ name }) => name)).toEqual(['plot.svg']);
    expect(drawn.files[0]?.bytes.toString('utf8')).toMatch(/^<svg /u);
    expect((await call('plot', wish, fetched.files)).files).toEqual(drawn.files);
  }, 60_000);

  it('data-fetch goes nowhere without a grant, and says who can give it', async () => {
    const { exitCode, stdout, stderr } = await call('data-fetch', {
      source: 'https://data.example.org/x.csv',
    });

    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(stderr).toContain('Ask the operator to grant data.example.org');
  });

  it.each([
    ['a file that is not there', { csv: 'none.csv' }, 2, 'There is no file none.csv. Files here: sales.csv.'],
    ['a file outside', { csv: '../../../etc/passwd' }, 2, 'There is no file'],
    ['an absolute path', { csv: '/etc/passwd' }, 2, 'There is no file'],
    ['the wrong delimiter', { csv: 'sales.csv', delimiter: '|' }, 2, 'Call again with "delimiter": ","'],
  ])('summarise refuses %s', async (_title, args, ...[exitCode, message]) => {
    const ended = await call('summarise', args, [{ name: 'sales.csv', bytes: Buffer.from('a,b\n1,2\n') }]);

    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr).toContain(message);
  });

  it.each([
    [
      'a column that is not there',
      { kind: 'bar', x: 'a', y: 'zz' },
      'There is no column "zz". Columns: a, b.',
    ],
    ['no x', { kind: 'bar', y: 'b' }, 'needs "x"'],
    ['a column without numbers', { kind: 'histogram', y: 'a' }, 'choose a column of numbers'],
    ['a grouped histogram', { kind: 'histogram', y: 'b', group: 'a' }, 'takes no "group"'],
  ])('plot refuses %s', async (_title, args, message) => {
    const files = [{ name: 'x.csv', bytes: Buffer.from('a,b\nu,2\nv,3\n') }];
    const ended = await call('plot', { csv: 'x.csv', ...args }, files);

    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(message);
  });

  it.skipIf(!hasPython)('text_stats counts a text (needs uv on PATH, and its package index)', async () => {
    const { stdout } = await call('text_stats', {
      text: 'The tall fox ran. The tall dog slept!',
      top_words: 1,
    });

    expect(JSON.parse(stdout)).toMatchObject({
      words: 8,
      sentences: 2,
      frequent_words: [{ word: 'tall', count: 2 }],
    });
  });
});
