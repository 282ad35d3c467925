import { cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';

import { build, type Metafile } from 'esbuild';

import { quote } from '../../core/quote.ts';
import type { Builder, BuildTools } from './builder.ts';
import { isSourcePath } from './hash-sources.ts';
import type { SourcePackage } from './read-source.ts';
import { runProgram } from './run-program.ts';
import { NODE_LAUNCHER, writeLauncher } from './write-launcher.ts';

/** Bundled CommonJS dependencies ask for built-in modules by `require`. */
const BANNER = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url);`;

/** One file starts fastest: nothing is looked up on the disk. Text files are taken in as strings. */
export const NODE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none',
  minifyWhitespace: true,
  minifySyntax: true,
  keepNames: true,
  metafile: true,
  logLevel: 'silent',
  loader: { '.csv': 'text', '.txt': 'text', '.md': 'text', '.svg': 'text' },
  banner: { js: BANNER },
} as const;

/**
 * A Node package: its `main`, bundled. With a lock file of its own its dependencies are installed in a copy, scripts
 * off; without one they are found from where it stands, as in a workspace, and no network is needed.
 */
export const buildNode: Builder = async (source, output, tools) => {
  const main = source.project['main'];
  if (typeof main !== 'string')
    throw new Error(`package.json needs "main", the file to start; received ${quote(main)}`);
  await writeLauncher(output, NODE_LAUNCHER);
  if (!(await hasOwnLock(source.directory))) return bundle(source.directory, main, output);
  const copy = await installCopy(source, tools);
  try {
    await bundle(copy, main, output);
    return [];
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};

async function bundle(root: string, main: string, output: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...NODE_OPTIONS,
    absWorkingDir: root,
    entryPoints: [main],
    outfile: join(output, 'main.mjs'),
  });
  return outsideInputs(root, metafile);
}

function outsideInputs(root: string, metafile: Metafile): string[] {
  return Object.keys(metafile.inputs)
    .map((input) => relative(root, resolve(root, input)))
    .filter((path) => path.startsWith('..') || path.split('/').includes('node_modules'))
    .toSorted();
}

async function hasOwnLock(directory: string): Promise<boolean> {
  return stat(join(directory, 'package-lock.json')).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

async function installCopy(source: SourcePackage, tools: BuildTools): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'tool-package-'));
  const filter = (path: string): boolean => path === source.directory || isSourcePath(basename(path));
  await cp(source.directory, copy, { recursive: true, dereference: true, filter });
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runProgram('npm', argv, { cwd: copy, environment: tools.environment });
  return copy;
}
