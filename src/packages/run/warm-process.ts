import { finishRun, type StartedRun } from './finish-run.ts';
import { layFiles } from './lay-files.ts';
import type { Harvested } from './run-result.ts';
import type { CallSpec, RunLimits } from './run-spec.ts';
import type { Sandbox } from './sandboxes.ts';

/** What a call adds to a process that waits: its arguments are always there. */
export type WarmCall<Harvest> = CallSpec<Harvest> & {
  readonly stdin: string;
  /** Time limits; those of memory and disk were set at the start. */
  readonly limits?: Partial<RunLimits>;
};

/** A process that waits for its arguments, in its own sandbox. It serves one call, or none. */
export interface WarmProcess {
  readonly isAlive: () => boolean;
  /** Once. */
  readonly call: <Harvest = undefined>(spec: WarmCall<Harvest>) => Promise<Harvested<Harvest>>;
  /** Ends it unused; without effect once it has been called. Resolves when nothing of it is left. */
  readonly discard: () => Promise<void>;
  /** Resolves when it has ended and nothing of it is left, used or not. */
  readonly gone: Promise<void>;
}

export function createWarmProcess(run: StartedRun, sandbox: Sandbox): WarmProcess {
  const { started } = run;
  let isCalled = false;
  let finish: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const clearAway = async (): Promise<void> => {
    await started.ended;
    if (isCalled) await finished;
    await sandbox.close();
  };
  const gone = clearAway();
  return {
    isAlive: started.isAlive,
    gone,
    call: async (spec) => {
      isCalled = true;
      try {
        await layFiles(sandbox.area, spec.files ?? []);
        return await finishRun({ ...run, limits: { ...run.limits, ...spec.limits } }, spec);
      } finally {
        started.end(0);
        finish();
        await gone;
      }
    },
    discard: async () => {
      if (!isCalled) started.end(0);
      await gone;
    },
  };
}
