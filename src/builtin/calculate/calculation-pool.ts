import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Piscina } from 'piscina';
import type { CalculationReply, CalculationTask } from './worker.ts';

/** Enough for mathjs (about 40 MB) and any expression within the limits. */
const MAX_HEAP_MB = 128;

export interface CalculationPool {
  /**
   * The reply of a warm worker thread. An abort of the signal ends the thread at once and rejects. Rejects also
   * when the thread ran out of memory or threw; that thread serves no other call.
   */
  readonly run: (task: CalculationTask, signal: AbortSignal) => Promise<CalculationReply>;
  /** Ends every thread; what runs is rejected. */
  readonly close: () => Promise<void>;
}

/** Starts `threads` worker threads and keeps that many. */
export function createCalculationPool(threads: number): CalculationPool {
  let pool = startPool(threads);
  return {
    run: async (task, signal) => {
      const used = pool;
      try {
        return (await used.run(task, { signal })) as CalculationReply;
      } catch (error) {
        if (!signal.aborted && used === pool) {
          pool = startPool(threads);
          void used.close({ force: false }).catch(() => undefined);
        }
        throw error;
      }
    },
    close: () => pool.destroy(),
  };
}

function startPool(threads: number): Piscina {
  const isSource = import.meta.url.endsWith('.ts');
  const worker = new URL(`./worker.${isSource ? 'ts' : 'js'}`, import.meta.url);
  return new Piscina({
    filename: fileURLToPath(worker),
    name: 'runCalculation',
    minThreads: threads,
    maxThreads: threads,
    env: {},
    execArgv: isSource ? ['--import', sourceLoader()] : [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
  });
}

/** What makes a worker thread read TypeScript when the service runs from its sources. */
function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}
