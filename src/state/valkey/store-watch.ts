import type { StoreFault } from './store-fault.ts';

export interface StoreLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface StoreWatch {
  /** From here until a probe succeeds the store counts as lost. */
  readonly lose: (fault: StoreFault) => void;
  /** What is wrong now; undefined: nothing. */
  readonly fault: () => StoreFault | undefined;
  readonly close: () => void;
}

const PROBE_MS = 250;
const SAY_AGAIN_MS = 10_000;

/**
 * Remembers that the store was lost, tries it until it works again, and tells the operator of both: each kind of
 * fault at most every ten seconds. `probe` writes something small and rejects when that fails.
 */
export function watchStore(place: string, probe: () => Promise<unknown>, log: StoreLog): StoreWatch {
  const toldAt = new Map<string, number>();
  let lost: StoreFault | undefined;
  let timer: NodeJS.Timeout | undefined;
  let since = 0;

  const tell = (fault: StoreFault): void => {
    const now = performance.now();
    if (now - (toldAt.get(fault.kind) ?? -Infinity) < SAY_AGAIN_MS) return;
    toldAt.set(fault.kind, now);
    log.error({ store: place, fault: fault.kind }, `${fault.message} Calls that need the store are refused.`);
  };
  const tryAgain = async (): Promise<void> => {
    try {
      await probe();
      const lostMs = Math.round(performance.now() - since);
      log.warn({ store: place, lost_ms: lostMs }, 'The store works again.');
      lost = undefined;
    } catch {
      timer = setTimeout(() => void tryAgain(), PROBE_MS).unref();
    }
  };
  return {
    fault: () => lost,
    lose: (fault) => {
      tell(fault);
      const isNew = lost === undefined;
      lost = fault;
      if (!isNew) return;
      since = performance.now();
      timer = setTimeout(() => void tryAgain(), 0).unref();
    },
    close: () => clearTimeout(timer),
  };
}
