import { accessSync, constants, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { detectIsolation } from '../../../src/packages/run/detect-isolation.ts';
import type { Isolation } from '../../../src/packages/run/isolation.ts';
import type { RunResult } from '../../../src/packages/run/run-result.ts';
import type { RunLimits, RunSpec } from '../../../src/packages/run/run-spec.ts';
import { createRunner, type Runner } from '../../../src/packages/run/runner.ts';
import { tagOf } from '../../../src/packages/run/work-root.ts';
import { zooPackage } from './zoo-package.ts';

/** Each level that this machine allows, found as the service finds it. */
export const ISOLATIONS: readonly Isolation[] = await findIsolations();

export const hasNamespaces = ISOLATIONS.some((isolation) => isolation.level === 'namespaces');
export const hasPython = isThere('/usr/bin/python3') || isThere('/usr/local/bin/python3');
export const hasCompiler = isThere('/usr/bin/cc');
export const isRoot = process.getuid?.() === 0;

/** Generous: a hang guard, never a measure. */
const GUARD_MS = 15_000;

async function findIsolations(): Promise<Isolation[]> {
  const found = [await detectIsolation(), await detectIsolation({ strongest: 'limits' })];
  return found.filter(
    (isolation, index) =>
      isolation.level !== 'none' && found.findIndex((other) => other.level === isolation.level) === index,
  );
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface TestRunner {
  readonly runner: Runner;
  readonly workRoot: string;
  /** Stands in the environment of every process of its runs. */
  readonly tag: string;
  /** Runs the launcher of one zoo package. */
  readonly run: (name: string, spec?: Partial<RunSpec>) => Promise<RunResult>;
  /** Throws when a process or a file of a run is left, or something was logged. */
  readonly checkNothingLeft: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openRunner(isolation: Isolation, limits: Partial<RunLimits> = {}): Promise<TestRunner> {
  const workRoot = await mkdtemp(join(tmpdir(), 'runner-test-'));
  const logged: string[] = [];
  const runner = await createRunner({
    isolation,
    workRoot,
    limits: { timeoutMs: GUARD_MS, idleMs: GUARD_MS, graceMs: 200, ...limits },
    log: (message) => logged.push(message),
  });
  const [instance = ''] = await readdir(workRoot);
  const tag = tagOf(instance);
  return {
    runner,
    workRoot,
    tag,
    checkNothingLeft: async () => {
      const left = [await listLeftDirectories(workRoot), listProcesses(tag), logged].flat();
      if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
    },
    run: async (name, spec) => (await runner.run({ ...zooPackage(name), argv: [], ...spec })).result,
    close: async () => {
      await runner.close();
      await rm(workRoot, { recursive: true, force: true });
    },
  };
}

export function text(result: RunResult): string {
  return result.stdout.head.toString('utf8');
}

export function errorText(result: RunResult): string {
  return result.stderr.head.toString('utf8');
}

/** Directories of runs that are still there; the instance directory itself stays until the runner is closed. */
export async function listLeftDirectories(workRoot: string): Promise<string[]> {
  const instances = await readdir(workRoot);
  const runs = await Promise.all(instances.map(async (name) => readdir(join(workRoot, name))));
  return runs.flat();
}

/** Living processes whose command line or environment holds this text. */
export function listProcesses(wanted: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      [read(pid, 'cmdline'), read(pid, 'environ')].some((content) => content.includes(wanted)),
    );
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
