import { relative } from 'node:path';

import { bubblewrapArguments, INSIDE, type SystemBinds } from './bubblewrap-arguments.ts';
import { childEnvironment } from './child-environment.ts';
import type { Isolation } from './isolation.ts';
import type { RunLimits, StartSpec } from './run-spec.ts';
import type { WorkArea } from './work-area.ts';

/** Descriptor on which bubblewrap tells how the program ended; above stdin, stdout, stderr. */
export const STATUS_FD = 3;

/** Descriptor from which bubblewrap reads its options: inside, its command line can be seen, and they name host paths. */
export const OPTIONS_FD = 4;

/** What is really started, and how. */
export interface SandboxCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** bubblewrap's: it reads them from OPTIONS_FD and reports on STATUS_FD. Absent at the level `limits`. */
  readonly options?: readonly string[];
  /** Descriptors of the service that the program would get; it finds them empty. */
  readonly covered: readonly number[];
}

export interface SandboxPlan {
  readonly isolation: Isolation;
  readonly binds: SystemBinds;
  readonly covered: readonly number[];
  readonly area: WorkArea;
  readonly limits: RunLimits;
  /** Processes and threads of one run; undefined: not limited. */
  readonly maxProcesses: number | undefined;
}

/** Puts the launcher behind everything that the isolation level has. */
export function sandboxCommand(plan: SandboxPlan, spec: StartSpec): SandboxCommand {
  const { isolation, area } = plan;
  const namespaces = isolation.level === 'namespaces';
  const launcher = namespaces
    ? `${INSIDE.package}/${relative(spec.packageDir, spec.launcher)}`
    : spec.launcher;
  const inner = [...limitCommand(plan), ...privilegeCommand(plan), launcher, ...spec.argv];
  const bubblewrap = isolation.programs.bubblewrap ?? 'bwrap';
  const outer = namespaces ? [bubblewrap, '--args', String(OPTIONS_FD), '--', ...inner] : inner;
  const [file = launcher, ...args] = outer;
  return {
    file,
    args,
    cwd: area.work,
    covered: plan.covered,
    env: childEnvironment(namespaces ? INSIDE : area, area.marker, spec),
    ...(namespaces && { options: bubblewrapOptions(plan, spec) }),
  };
}

function bubblewrapOptions({ isolation, binds, area }: SandboxPlan, spec: StartSpec): string[] {
  const online = (spec.hosts ?? []).length > 0;
  const run = { area, packageDir: spec.packageDir, online, statusFd: STATUS_FD };
  return bubblewrapArguments(isolation, binds, run);
}

/** Inside the namespaces: a limit on processes counts those of its own user namespace. */
function limitCommand({ isolation, limits, maxProcesses }: SandboxPlan): string[] {
  return [
    isolation.programs.prlimit ?? 'prlimit',
    '--core=0',
    '--nofile=1024',
    `--data=${limits.memoryMb * 1024 * 1024}`,
    `--fsize=${limits.workDirBytes}`,
    ...(maxProcesses === undefined ? [] : [`--nproc=${maxProcesses}`]),
  ];
}

/** bubblewrap has already taken the way back to privileges away; only the user id is left to change. */
function privilegeCommand({ isolation, area }: SandboxPlan): string[] {
  const setpriv = isolation.programs.setpriv ?? 'setpriv';
  const identity =
    area.uid === undefined
      ? []
      : [`--reuid=${area.uid}`, `--regid=${area.uid}`, '--clear-groups', '--inh-caps=-all'];
  if (isolation.level === 'namespaces') return identity.length === 0 ? [] : [setpriv, ...identity];
  return [setpriv, '--no-new-privs', '--pdeathsig=KILL', ...identity];
}
