import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { BootError } from '../core/boot-error.ts';
import { buildPackages } from '../packages/build/build-packages.ts';
import { runWithRunner } from '../packages/build/run-with-runner.ts';
import { detectIsolation } from '../packages/run/detect-isolation.ts';
import { createRunner, type Runner } from '../packages/run/runner.ts';

const OPTIONS = {
  force: { type: 'boolean', default: false },
  sources: { type: 'string', default: 'tool-packages' },
  output: { type: 'string', default: 'prebuilt' },
} as const;

/**
 * `packages build [name…] [--force] [--sources dir] [--output dir]`: builds tool packages, all or the named ones.
 * Progress goes to stderr. Returns the exit code: 0, 1 when a package could not be built, 2 for a wrong argument.
 */
export async function packagesBuild(argv: readonly string[]): Promise<number> {
  const wanted = readArguments(argv);
  if (wanted === undefined) return 2;
  const { values, positionals } = wanted;
  const kept = keepRunner();
  try {
    await buildPackages({
      ...values,
      names: positionals,
      run: async (request) => runWithRunner(await kept.open())(request),
      tools: { environment: process.env },
      log: (line) => console.error(line),
    });
    return 0;
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await kept.close();
  }
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

/** Opened when the first launcher is asked: a build in which nothing has changed needs none. */
function keepRunner() {
  let opened: Promise<Runner> | undefined;
  return {
    open: async (): Promise<Runner> => (opened ??= openRunner()),
    close: async (): Promise<void> => (await opened)?.close(),
  };
}

async function openRunner(): Promise<Runner> {
  const isolation = await detectIsolation();
  console.error(`Packages are asked what they can do under isolation \`${isolation.level}\`.`);
  const workRoot = join(tmpdir(), `tool-broker-build-${process.pid}`);
  return createRunner({ isolation, workRoot, log: () => undefined });
}
