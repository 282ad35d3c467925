import { destination, pino, type DestinationStream, type Logger } from 'pino';

import type { Config } from '../config.ts';

export interface Log {
  readonly logger: Logger;
  /** Writes out what is still in memory. */
  readonly flush: () => void;
}

const FLUSH_MS = 1_000;
const BUFFER_BYTES = 4_096;

/**
 * JSON lines on standard output. They are gathered for at most a second, since one write a call costs a third of all
 * the requests that a second has room for; `auditSync` writes each at once.
 */
export function createLog(config: Pick<Config, 'logLevel' | 'auditSync'>): Log {
  const stream = config.auditSync
    ? destination({ dest: 1, sync: true })
    : destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  return { logger: toLogger(config, stream), flush: () => stream.flushSync() };
}

function toLogger({ logLevel }: Pick<Config, 'logLevel'>, stream: DestinationStream): Logger {
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
