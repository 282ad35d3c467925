import { posix } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readSources } from '../support/sources.ts';

/** Who may import whom (besides itself): the table of the design, written out again so that a change shows twice. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  typeset: [],
  config: ['core'],
  catalog: ['core'],
  describe: ['core'],
  builtin: ['core', 'describe', 'typeset'],
  skills: ['core', 'describe', 'typeset'],
  packages: ['core', 'describe'],
  broker: ['core', 'catalog', 'describe'],
  state: ['core', 'broker'],
  http: ['core', 'catalog', 'describe', 'broker'],
  cli: ['config', 'compose', 'core', 'catalog', 'describe', 'skills', 'packages'],
  main: ['config', 'compose', 'core'],
  compose: [
    'config',
    'core',
    'catalog',
    'describe',
    'builtin',
    'skills',
    'packages',
    'broker',
    'typeset',
    'state',
    'http',
  ],
};

const sources = readSources('src');
const SPECIFIER = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+\.[jt]s)'|new URL\(\s*'(\.{1,2}\/[^']+\.[jt]s)'/gu;

/** `src/core/ref.ts` is in the room `core`, `src/main.ts` is the room `main`. */
function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/u, '');
}

function importsOf(source: { path: string; text: string }): string[] {
  return [...source.text.matchAll(SPECIFIER)].map((match) =>
    posix.join(posix.dirname(source.path), match[1] ?? match[2] ?? ''),
  );
}

const edges = sources.flatMap((source) => importsOf(source).map((to) => ({ from: source.path, to })));

describe('the house', () => {
  it('has only the rooms that the design names', () => {
    expect(
      [...new Set(sources.map((source) => roomOf(source.path)))].filter((room) => !(room in MAY_IMPORT)),
    ).toEqual([]);
  });

  it('is read whole: every import leads to a file that is there', () => {
    const paths = new Set(sources.map((source) => source.path));
    expect(edges.length).toBeGreaterThan(50);
    expect(edges.filter((edge) => !paths.has(edge.to.replace(/\.js$/u, '.ts')))).toEqual([]);
  });

  it('keeps to who may import whom', () => {
    const breaches = edges.filter(({ from, to }) => {
      const [inner, outer] = [roomOf(from), roomOf(to)];
      return inner !== outer && !MAY_IMPORT[inner]?.includes(outer);
    });
    expect(breaches).toEqual([]);
  });

  it('never runs a builder in the service: neither run/ nor compose reaches packages/build', () => {
    const breaches = edges.filter(
      ({ from, to }) =>
        to.startsWith('src/packages/build/') &&
        (from.startsWith('src/packages/run/') || from.startsWith('src/compose')),
    );
    expect(breaches).toEqual([]);
  });
});

/** Comments may name what the code must not do. */
function codeOf(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/gu, '');
}

describe('habits that a reader can rely on', () => {
  it('reads the environment and ends the process in config, main and cli only', () => {
    const where = sources
      .filter((source) => /process\.(?:env|exit)\b/u.test(codeOf(source.text)))
      .map((source) => roomOf(source.path));
    expect(where.filter((room) => !['config', 'main', 'cli'].includes(room))).toEqual([]);
  });

  it('starts child processes in packages only, and never through a shell', () => {
    const spawning = sources.filter((source) => codeOf(source.text).includes('node:child_process'));
    expect(spawning.map((source) => roomOf(source.path)).filter((room) => room !== 'packages')).toEqual([]);
    const shell = /\bshell\s*:|\{[^}]*\bexec(?:Sync)?\b[^}]*\}\s*from 'node:child_process'/u;
    expect(spawning.filter((source) => shell.test(codeOf(source.text))).map((source) => source.path)).toEqual(
      [],
    );
  });

  it('imports nothing whose name comes from outside', () => {
    expect(
      sources
        .filter(
          (source) =>
            /\bimport\((?!')/u.test(codeOf(source.text)) ||
            /\beval\(|new Function\(/u.test(codeOf(source.text)),
        )
        .map((s) => s.path),
    ).toEqual([]);
  });

  it('mocks no module in its tests', () => {
    const own = 'test/architecture/imports.test.ts';
    expect(
      readSources('test')
        .filter((source) => source.path !== own && /\bvi\.mock\b/u.test(source.text))
        .map((s) => s.path),
    ).toEqual([]);
  });
});
