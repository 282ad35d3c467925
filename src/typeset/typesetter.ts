import { Piscina } from 'piscina';
import type { PdfDocument, TypesetResult } from './document.ts';

/** Text to PDF, in worker threads. */
export interface Typesetter {
  /**
   * Sets a document; the same document gives the same bytes. When `signal` aborts, the thread is ended at once, whatever
   * it does, and the promise rejects with an AbortError. It also rejects when the thread runs out of memory.
   */
  readonly typeset: (document: PdfDocument, signal: AbortSignal) => Promise<TypesetResult>;
  /** Ends the threads; calls that still run are rejected. */
  readonly close: () => Promise<void>;
}

export interface TypesetterOptions {
  /** Threads, all started at once; each sets one document at a time. At least 1. */
  readonly maxThreads: number;
  readonly resourceLimits?: {
    readonly maxOldGenerationSizeMb?: number;
    readonly maxYoungGenerationSizeMb?: number;
  };
}

const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker-from-source.mjs' : './worker.js',
  import.meta.url,
);

const DEFAULT_LIMITS = { maxOldGenerationSizeMb: 512 };

/** Starts the threads and lets each open its fonts in the background. Calls may come at once; they wait. */
export function createTypesetter({ maxThreads, resourceLimits }: TypesetterOptions): Typesetter {
  const pool = new Piscina({
    filename: WORKER.href,
    name: 'typesetTask',
    minThreads: maxThreads,
    maxThreads,
    execArgv: [],
    env: {},
    resourceLimits: { ...DEFAULT_LIMITS, ...resourceLimits },
  });
  return {
    typeset: async (document, signal) => {
      signal.throwIfAborted();
      const result: TypesetResult = await pool.run(document, { signal });
      return result;
    },
    close: () => pool.destroy(),
  };
}
