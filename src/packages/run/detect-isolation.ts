import { mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Isolation, IsolationLevel, SystemPrograms } from './isolation.ts';
import { removeTree } from './remove-tree.ts';
import { createRunner } from './runner.ts';
import { findSystemProgram, findSystemPrograms } from './system-programs.ts';

export interface DetectOptions {
  /** Goes no further than this level, for a machine whose operator wants less. */
  readonly strongest?: IsolationLevel;
  /** Host paths besides the system's that packages may read. */
  readonly readablePaths?: readonly string[];
}

type Candidate = Omit<Isolation, 'detail'>;

const TRIAL_MS = 10_000;

/**
 * Finds out by trial what this machine can do: each candidate, strongest first, runs a program exactly as a call
 * would. The first that works is the answer; why the ones before it failed stands in `detail`.
 */
export async function detectIsolation(options: DetectOptions = {}): Promise<Isolation> {
  const programs = findSystemPrograms();
  const failures: string[] = [];
  for (const candidate of listCandidates(programs, options)) {
    const failure = await tryOut({ ...candidate, detail: '' });
    if (failure === undefined) return { ...candidate, detail: describe(candidate, failures) };
    failures.push(`${name(candidate)}: ${failure}`);
  }
  const none = { level: 'none', programs, ...PLAIN, readablePaths: [] } as const;
  return { ...none, detail: describe(none, [...missing(programs), ...failures]) };
}

const PLAIN = { ownProc: false, ownUserNamespace: false, ownUid: false } as const;

/** Strongest first. Root prefers a user id of its own for each run: a user namespace leaves it root outside. */
function listCandidates(programs: SystemPrograms, options: DetectOptions): Candidate[] {
  const { strongest = 'namespaces', readablePaths = [] } = options;
  if (programs.prlimit === undefined || programs.setpriv === undefined || strongest === 'none') return [];
  const isRoot = process.getuid?.() === 0;
  const plain = { ...PLAIN, programs, readablePaths };
  const namespaces = { ...plain, level: 'namespaces' } as const;
  const limits = { ...plain, level: 'limits' } as const;
  const own = { ...namespaces, ownUid: true };
  const user = { ...namespaces, ownUserNamespace: true };
  const hasNamespaces = strongest === 'namespaces' && programs.bubblewrap !== undefined;
  return [
    ...(hasNamespaces && isRoot ? [{ ...own, ownProc: true }, own] : []),
    ...(hasNamespaces ? [{ ...user, ownProc: true }, user] : []),
    ...(isRoot ? [{ ...limits, ownUid: true }] : []),
    limits,
  ];
}

/** Undefined when it works, else why not. */
async function tryOut(isolation: Isolation): Promise<string | undefined> {
  const program = findSystemProgram('true');
  if (program === undefined) return 'there is no program to try it with';
  const launcher = await realpath(program);
  const workRoot = await mkdtemp(join(tmpdir(), 'tool-broker-trial-'));
  try {
    const runner = await createRunner({ isolation, workRoot, log: () => {} });
    const limits = { timeoutMs: TRIAL_MS, idleMs: 0 };
    const { result } = await runner.run({ launcher, packageDir: dirname(launcher), argv: [], limits });
    await runner.close();
    return result.outcome === 'exited' && result.exitCode === 0
      ? undefined
      : (result.startDetail ?? result.startError ?? result.outcome);
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown error';
  } finally {
    await removeTree(workRoot);
  }
}

function missing(programs: SystemPrograms): string[] {
  const wanted = { prlimit: programs.prlimit, setpriv: programs.setpriv };
  return Object.entries(wanted)
    .filter(([, path]) => path === undefined)
    .map(([program]) => `${program} (util-linux) is not installed`);
}

function name(candidate: Candidate): string {
  const parts = [
    candidate.level,
    ...(candidate.ownUid ? ['own user id'] : []),
    ...(candidate.ownUserNamespace ? ['own user namespace'] : []),
    ...(candidate.level === 'namespaces' && !candidate.ownProc ? ['no /proc'] : []),
  ];
  return parts.join(', ');
}

function describe(candidate: Candidate, failures: readonly string[]): string {
  const noBubblewrap = candidate.level === 'limits' && candidate.programs.bubblewrap === undefined;
  const reasons = [...(noBubblewrap ? ['bubblewrap is not installed'] : []), ...failures];
  const better = reasons.length === 0 ? '' : ` Nothing stronger works here: ${reasons.join('; ')}.`;
  return `Package isolation: ${name(candidate)}.${better}`;
}
