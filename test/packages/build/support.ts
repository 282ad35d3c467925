import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { onTestFinished } from 'vitest';

import { buildPackages, type BuildReport } from '../../../src/packages/build/build-packages.ts';
import type { LauncherRun, RunLauncher } from '../../../src/packages/build/run-launcher.ts';

/** A directory of the test's own, removed when it ends. */
export async function makeDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'packages-test-')));
  onTestFinished(async () => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes files (path -> text); texts that begin with `#!` may be executed. */
export async function writeTree(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const full = join(root, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, text);
    if (text.startsWith('#!')) await chmod(full, 0o755);
  }
}

/** Runs a launcher without a sandbox: these tests are about what is built, not about where it runs. */
export const runPlainly: RunLauncher = async ({ launcher, argv, timeoutMs }) =>
  new Promise<LauncherRun>((resolve) => {
    const options = { env: { PATH: process.env['PATH'] }, timeout: timeoutMs, maxBuffer: 1_048_576 };
    execFile(launcher, [...argv], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (typeof code === 'number') resolve({ exitCode: code, stdout, stderr });
      else resolve({ exitCode: undefined, stdout, stderr, trouble: `was ended by ${error?.signal ?? code}` });
    });
  });

export interface Workshop {
  readonly sources: string;
  readonly output: string;
  readonly lines: string[];
  readonly build: (options?: {
    names?: string[];
    force?: boolean;
    run?: RunLauncher;
    path?: string;
  }) => Promise<BuildReport>;
}

/** A directory of sources and one of prebuilt packages, and a builder between them. */
export async function makeWorkshop(): Promise<Workshop> {
  const root = await makeDirectory();
  const [sources, output] = [join(root, 'sources'), join(root, 'prebuilt')];
  await mkdir(sources);
  const lines: string[] = [];
  return {
    sources,
    output,
    lines,
    build: async ({ names = [], force = false, run = runPlainly, path } = {}) =>
      buildPackages({
        sources,
        output,
        names,
        force,
        run,
        tools: { environment: { ...process.env, ...(path === undefined ? {} : { PATH: path }) } },
        log: (line) => lines.push(line),
      }),
  };
}

/** A launcher in sh that keeps the contract: one command, `greet`. */
export const GREETER = `#!/bin/sh
if [ $# -eq 0 ]; then echo '[{"name":"greet","description":"Greets a person."}]'; exit 0; fi
[ "$1" = greet ] || { echo "unknown command: $1" >&2; exit 2; }
if [ $# -eq 1 ]; then
  echo '{"name":"greet","description":"Greets a person.","params_json_schema":{"type":"object","properties":{"name":{"type":"string"}}}}'
  exit 0
fi
echo '{"greeting":"hello"}'
`;

/** A package with no language tooling at all: `build` copies its launcher. */
export function programPackage(launcher: string = GREETER, manifest: object = { version: '1.0.0' }) {
  return {
    'tool-package.json': JSON.stringify(manifest),
    build: '#!/bin/sh\ncp program "$1/launch"\n',
    program: launcher,
  };
}

/** The same files under `directory/`. */
export function under(directory: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${directory}/${path}`, text]));
}

/** A launcher that prints these texts whatever it is asked. */
export function printer(list: string, description = '{}', exitCode = 0): string {
  return `#!/bin/sh
if [ $# -eq 0 ]; then cat <<'LIST'
${list}
LIST
else cat <<'DESCRIPTION'
${description}
DESCRIPTION
fi
exit ${exitCode}
`;
}
