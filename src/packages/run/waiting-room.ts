import type { WarmProcess } from './warm-process.ts';

/** Processes that wait for a call, one for each key. A dead one leaves by itself. */
export interface WaitingRoom {
  readonly has: (key: string) => boolean;
  /** Takes it out; undefined when none waits. */
  readonly take: (key: string) => WarmProcess | undefined;
  /** The one that has waited longest makes room when the room is full. */
  readonly keep: (key: string, warm: WarmProcess) => void;
  readonly size: () => number;
  /** Ends all. Resolves when nothing of them is left. */
  readonly clear: () => Promise<void>;
}

interface Waiting {
  readonly warm: WarmProcess;
  readonly expiry: NodeJS.Timeout;
}

export function createWaitingRoom(limits: { maxWaiting: number; maxWaitMs: number }): WaitingRoom {
  const waiting = new Map<string, Waiting>();
  const take = (key: string): WarmProcess | undefined => {
    const found = waiting.get(key);
    clearTimeout(found?.expiry);
    waiting.delete(key);
    return found?.warm;
  };
  const forget = async (key: string, warm: WarmProcess): Promise<void> => {
    await warm.gone;
    if (waiting.get(key)?.warm === warm) take(key);
  };
  return {
    has: (key) => waiting.has(key),
    size: () => waiting.size,
    take,
    keep: (key, warm) => {
      const oldest = waiting.size >= limits.maxWaiting ? waiting.keys().next().value : undefined;
      if (oldest !== undefined) void take(oldest)?.discard();
      const expiry = setTimeout(() => void take(key)?.discard(), limits.maxWaitMs).unref();
      waiting.set(key, { warm, expiry });
      void forget(key, warm);
    },
    clear: async () => {
      const all = [...waiting.keys()].flatMap((key) => take(key) ?? []);
      await Promise.all(all.map((warm) => warm.discard()));
    },
  };
}
