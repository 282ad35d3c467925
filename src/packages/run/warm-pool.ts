import type { Harvested } from './run-result.ts';
import type { StartSpec } from './run-spec.ts';
import type { Runner } from './runner.ts';
import { createWaitingRoom, type WaitingRoom } from './waiting-room.ts';
import type { WarmCall } from './warm-process.ts';

/** Starts processes before they are needed. Each serves one call; which command it is for is its `key`. */
export interface WarmPool {
  /** Runs one call in a waiting process, or in a new one when none waits; then starts the next to wait. */
  readonly run: <Harvest>(
    key: string,
    start: StartSpec,
    call: WarmCall<Harvest>,
  ) => Promise<Harvested<Harvest>>;
  /** Starts one to wait, unless one does. Never rejects. */
  readonly prepare: (key: string, start: StartSpec) => Promise<void>;
  /** How many wait now. */
  readonly size: () => number;
  readonly close: () => Promise<void>;
}

export interface WarmPoolOptions {
  readonly runner: Runner;
  /** Processes that may wait at once, all commands together; 0 switches it off. */
  readonly maxWaiting: number;
  /** A process that has waited so long is ended. */
  readonly maxWaitMs: number;
}

export function createWarmPool(options: WarmPoolOptions): WarmPool {
  const { runner } = options;
  const room = createWaitingRoom(options);
  const starting = new Map<string, Promise<void>>();
  let isClosed = options.maxWaiting === 0;
  const prepare = async (key: string, spec: StartSpec): Promise<void> => {
    if (isClosed || room.has(key)) return;
    const work = starting.get(key) ?? start(key, spec).finally(() => starting.delete(key));
    starting.set(key, work);
    await work;
  };
  const start = async (key: string, spec: StartSpec): Promise<void> => {
    const warm = await runner.startWarm(spec).catch(() => undefined);
    if (warm === undefined) return;
    if (isClosed) await warm.discard();
    else room.keep(key, warm);
  };
  return {
    prepare,
    size: room.size,
    run: async (key, spec, call) => {
      try {
        return await runWarmOrCold(room, runner, { key, spec, call });
      } finally {
        void prepare(key, spec);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all(starting.values());
      await room.clear();
    },
  };
}

/** One that has died while it waited has seen no arguments, so that a new one may be started without doubt. */
async function runWarmOrCold<Harvest>(
  room: WaitingRoom,
  runner: Runner,
  { key, spec, call }: { key: string; spec: StartSpec; call: WarmCall<Harvest> },
): Promise<Harvested<Harvest>> {
  const warm = room.take(key);
  if (warm?.isAlive() === true) return warm.call(call);
  return runner.run({ ...spec, ...call, limits: { ...spec.limits, ...call.limits } });
}
