import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { BootError } from '../core/boot-error.ts';
import { buildPackages } from '../packages/build/build-packages.ts';
import { runWithRunner } from '../packages/build/run-with-runner.ts';
import { detectIsolation } from '../packages/run/detect-isolation.ts';
import { createRunner } from '../packages/run/runner.ts';

const OPTIONS = {
  force: { type: 'boolean', default: false },
  sources: { type: 'string', default: 'tool-packages' },
  output: { type: 'string', default: 'prebuilt' },
} as const;

/**
 * `packages build [name…] [--force] [--sources dir] [--output dir]`: builds tool packages, all or the named ones.
 * Progress goes to stderr. Returns the exit code: 0, or 1 when a package could not be built.
 */
export async function packagesBuild(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  const isolation = await detectIsolation();
  const workRoot = join(tmpdir(), `tool-broker-build-${process.pid}`);
  const runner = await createRunner({ isolation, workRoot, log: () => undefined });
  console.error(`Packages are asked what they can do under isolation \`${isolation.level}\`.`);
  try {
    await buildPackages({
      ...values,
      names: positionals,
      run: runWithRunner(runner),
      tools: { environment: process.env },
      log: (line) => console.error(line),
    });
    return 0;
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await runner.close();
  }
}
