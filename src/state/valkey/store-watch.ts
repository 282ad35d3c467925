import type { StoreFault } from './store-fault.ts';

export interface StoreLog {
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export interface StoreWatch {
  /** From here until a probe succeeds the store counts as lost. */
  readonly lose: (fault: StoreFault) => void;
  /** A probe has succeeded. */
  readonly regain: () => void;
  /** What is wrong now; undefined: nothing. */
  readonly fault: () => StoreFault | undefined;
  readonly close: () => void;
}

const PROBE_MS = 250;
const SAY_AGAIN_MS = 10_000;

/**
 * Remembers that the store was lost, tries it until it works again, and tells the operator of both. `probe` writes
 * something small and rejects when that fails.
 */
export function watchStore(place: string, probe: () => Promise<unknown>, log: StoreLog): StoreWatch {
  const teller = createTeller(place, log);
  let lost: StoreFault | undefined;
  let timer: NodeJS.Timeout | undefined;

  const regain = (): void => {
    if (lost !== undefined) teller.regained();
    lost = undefined;
  };
  const tryAgain = async (): Promise<void> => {
    if (lost === undefined) return;
    try {
      await probe();
      regain();
    } catch {
      timer = setTimeout(() => void tryAgain(), PROBE_MS).unref();
    }
  };
  return {
    regain,
    fault: () => lost,
    lose: (fault) => {
      const isNew = lost === undefined;
      // That the connection is gone follows from whatever was said before.
      if (!isNew && fault.kind === 'CLOSED') return;
      teller.lost(fault);
      lost = fault;
      if (!isNew) return;
      clearTimeout(timer);
      timer = setTimeout(() => void tryAgain(), 0).unref();
    },
    close: () => clearTimeout(timer),
  };
}

interface Teller {
  readonly lost: (fault: StoreFault) => void;
  readonly regained: () => void;
}

/** Each kind of fault at most every ten seconds, and a return only where the loss was told. */
function createTeller(place: string, log: StoreLog): Teller {
  const toldAt = new Map<string, number>();
  let since: number | undefined;
  return {
    lost: (fault) => {
      const now = performance.now();
      if (now - (toldAt.get(fault.kind) ?? -Infinity) < SAY_AGAIN_MS) return;
      toldAt.set(fault.kind, now);
      since ??= now;
      log.error(
        { store: place, fault: fault.kind },
        `${fault.message} Calls that need the store are refused.`,
      );
    },
    regained: () => {
      if (since === undefined) return;
      const lostMs = Math.round(performance.now() - since);
      log.warn({ store: place, lost_ms: lostMs }, 'The store works again.');
      since = undefined;
    },
  };
}
