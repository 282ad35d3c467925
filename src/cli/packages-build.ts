import { BootError } from '../core/boot-error.ts';
import { buildPackages } from '../packages/build/build-packages.ts';
import { MissingBuildTool } from '../packages/build/builder.ts';
import { runWithRunner } from '../packages/build/run-with-runner.ts';
import { detectIsolation } from '../packages/run/detect-isolation.ts';
import type { Isolation } from '../packages/run/isolation.ts';
import { createRunner, type Runner } from '../packages/run/runner.ts';
import { sharedWorkRoot } from '../packages/run/work-root.ts';

export interface PackagesBuildOptions {
  /** Which to build; empty: all that have changed. */
  readonly names: readonly string[];
  /** Build even what has not changed. */
  readonly force: boolean;
  readonly sources: string;
  readonly output: string;
  /** For npm and uv: proxies, registries, caches. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
  /** Default: what this machine can do. */
  readonly isolate?: () => Promise<Isolation>;
}

/**
 * `tool-broker packages build`: builds tool packages, all or the named ones. Exit code 0; 1 when a package could not be
 * built, or one that was asked for by name had to be left out.
 */
export async function packagesBuild(options: PackagesBuildOptions): Promise<number> {
  const { names, environment, print } = options;
  const kept = keepRunner(options);
  try {
    const { outcomes } = await buildPackages({
      ...options,
      run: async (request) => runWithRunner(await kept.open())(request),
      tools: { environment },
      log: print,
    });
    return outcomes.some(({ name, outcome }) => outcome === 'left-out' && names.includes(name)) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    print(error.message);
    return 1;
  } finally {
    await kept.close();
  }
}

/** Opened when the first launcher is asked: a build in which nothing has changed needs none. */
function keepRunner(options: PackagesBuildOptions) {
  let opened: Promise<Runner> | undefined;
  return {
    open: async (): Promise<Runner> => (opened ??= openRunner(options)),
    close: async (): Promise<void> => (await opened?.catch(() => undefined))?.close(),
  };
}

/** Without isolation no launcher is asked anything, also not at build time. */
async function openRunner({ print, isolate = detectIsolation }: PackagesBuildOptions): Promise<Runner> {
  const isolation = await isolate();
  if (isolation.level === 'none')
    throw new MissingBuildTool(`needs isolation to be asked what it can do. ${isolation.detail}`);
  print(`Packages are asked what they can do under isolation \`${isolation.level}\`.`);
  return createRunner({ isolation, workRoot: sharedWorkRoot(), log: () => undefined });
}
