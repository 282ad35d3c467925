import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { BrokerError } from '../../core/broker-error.ts';
import { checkArgumentSize } from './argument-size.ts';
import { finishRun, refuseRun } from './finish-run.ts';
import type { Isolation } from './isolation.ts';
import { createLauncherCheck } from './known-launchers.ts';
import { layFiles } from './lay-files.ts';
import type { Harvested } from './run-result.ts';
import { DEFAULT_RUN_LIMITS, type RunLimits, type RunSpec, type StartSpec } from './run-spec.ts';
import { createSandboxes, type Sandboxes } from './sandboxes.ts';
import { startProcess } from './started-process.ts';
import { createWarmProcess, type WarmProcess } from './warm-process.ts';

const BUSY_PAUSE_MS = 20;

/** Runs launchers: for listing at build time, and for calls. */
export interface Runner {
  readonly isolation: Isolation;
  /** However it ends, the answer has one shape. Rejects with a BrokerError for a call that cannot be started. */
  readonly run: <Harvest = undefined>(spec: RunSpec<Harvest>) => Promise<Harvested<Harvest>>;
  /** Starts `[command, '-']` before its call is known. Undefined when it did not start. */
  readonly startWarm: (spec: StartSpec) => Promise<WarmProcess | undefined>;
  /** Takes no more runs, gives those that are going so long to finish, then ends them. Nothing is left. */
  readonly close: (finishMs?: number) => Promise<void>;
}

export interface RunnerOptions {
  readonly isolation: Isolation;
  /** Absolute; made if it is missing, for the service alone. */
  readonly workRoot: string;
  readonly limits?: Partial<RunLimits>;
  readonly log: (message: string, fields?: Readonly<Record<string, string | number | boolean>>) => void;
}

interface Parts {
  readonly isolation: Isolation;
  readonly sandboxes: Sandboxes;
  readonly checkLauncher: ReturnType<typeof createLauncherCheck>;
  readonly stopping: AbortSignal;
}

/** Throws a BootError when the working directory cannot be used. */
export async function createRunner(options: RunnerOptions): Promise<Runner> {
  const { isolation } = options;
  const sandboxes = await createSandboxes(options);
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const checkLauncher = createLauncherCheck();
  const parts: Parts = { isolation, sandboxes, checkLauncher, stopping: stop.signal };
  const going = new Set<Promise<unknown>>();
  const waiting = new Set<WarmProcess>();
  let isClosing = false;
  const limitsOf = (spec: StartSpec): RunLimits => ({
    ...DEFAULT_RUN_LIMITS,
    ...options.limits,
    ...spec.limits,
  });
  const track = <T>(begin: () => Promise<T>): Promise<T> => {
    if (isClosing) throw new BrokerError('OVERLOADED', 'The service is stopping.', { retryAfter: 5 });
    const work = begin();
    const settled = work.catch(() => {}).finally(() => going.delete(settled));
    going.add(settled);
    return work;
  };
  return {
    isolation,
    run: async (spec) => track(() => runPatiently(spec, limitsOf(spec), parts)),
    startWarm: async (spec) =>
      track(async () => {
        const warm = await startWaiting(spec, limitsOf(spec), parts);
        if (warm !== undefined) keepUntilGone(waiting, warm);
        return warm;
      }),
    close: async (finishMs = 0) => {
      isClosing = true;
      await Promise.race([Promise.all(going), sleep(finishMs, undefined, { ref: false })]);
      stop.abort('shutdown');
      await Promise.all([...going, ...[...waiting].map((warm) => warm.discard())]);
      await sandboxes.close();
    },
  };
}

function keepUntilGone(waiting: Set<WarmProcess>, warm: WarmProcess): void {
  waiting.add(warm);
  void warm.gone.then(() => waiting.delete(warm));
}

/** Tries again while the launcher is still being written, if the caller wants that. */
async function runPatiently<Harvest>(
  spec: RunSpec<Harvest>,
  limits: RunLimits,
  parts: Parts,
): Promise<Harvested<Harvest>> {
  const giveUpAt = performance.now() + (spec.busyRetryMs ?? 0);
  for (;;) {
    const ended = await runOnce(spec, limits, parts);
    const isBusy = ended.result.startError?.includes('Text file busy') === true;
    if (!isBusy || performance.now() > giveUpAt) return ended;
    await sleep(BUSY_PAUSE_MS);
  }
}

async function runOnce<Harvest>(
  spec: RunSpec<Harvest>,
  limits: RunLimits,
  parts: Parts,
): Promise<Harvested<Harvest>> {
  checkArgumentSize(spec.argv);
  const refusal = await refuse(spec, parts);
  if (refusal !== undefined) return refuseRun(refusal);
  const sandbox = parts.sandboxes.open(spec, limits);
  try {
    const { area } = sandbox;
    await layFiles(area, spec.files ?? []);
    const { keepBytes } = limits;
    const started = startProcess(sandbox.command, { area, keepBytes, openStdin: spec.stdin !== undefined });
    return await finishRun({ started, limits, area, stopping: parts.stopping }, spec);
  } finally {
    await sandbox.close();
  }
}

async function startWaiting(
  spec: StartSpec,
  limits: RunLimits,
  parts: Parts,
): Promise<WarmProcess | undefined> {
  if ((await refuse(spec, parts)) !== undefined) return undefined;
  const sandbox = parts.sandboxes.open(spec, limits);
  const { area } = sandbox;
  const started = startProcess(sandbox.command, { area, keepBytes: limits.keepBytes, openStdin: true });
  return createWarmProcess({ started, limits, area, stopping: parts.stopping }, sandbox);
}

async function refuse(spec: StartSpec, { isolation, checkLauncher }: Parts): Promise<string | undefined> {
  if (isolation.level === 'none') return `Packages are not run on this machine. ${isolation.detail}`;
  return checkLauncher(spec);
}
