import { isIP } from 'node:net';

import { Redis } from 'iovalkey';

import type { ServerAddress } from '../../core/server-address.ts';

/** A store that takes longer than this for one answer is as good as lost. */
const ANSWER_MS = 2_000;

/** A connection on which nothing comes for so long, while something is due, is dead. */
const SILENCE_MS = 3_000;
export const CONNECT_MS = 3_000;
const KEEP_ALIVE_MS = 10_000;
const MAX_RETRY_DELAY_MS = 1_000;

/** After a failover the name may lead to another server; not more often than this. */
const MIN_RECONNECT_MS = 1_000;

/**
 * One connection that comes back by itself, for ever. Nothing waits for it: what is asked while it is down fails at
 * once, and what was under way when it broke is never sent a second time behind the asker's back.
 */
export function connect(address: ServerAddress, onError: (error: Error) => void): Redis {
  const { host, port, database, username, password, tls } = address;
  let reconnectedAt = -Infinity;
  const client = new Redis({
    host,
    port,
    db: database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: isIP(host) === 0 ? { servername: host } : {} }),
    connectionName: 'tool-broker',
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    socketTimeout: SILENCE_MS,
    connectTimeout: CONNECT_MS,
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (times) => Math.min(50 * times, MAX_RETRY_DELAY_MS) * (0.5 + Math.random() / 2),
    reconnectOnError: ({ message }) => {
      const now = performance.now();
      if (!message.startsWith('READONLY') || now - reconnectedAt < MIN_RECONNECT_MS) return false;
      reconnectedAt = now;
      return true;
    },
  });
  client.on('error', (error) => {
    onError(error);
    // The client would go on with database 0, where somebody else's keys may be.
    if (/DB index is out of range|SELECT is not allowed/iu.test(error.message)) client.disconnect(true);
  });
  return client;
}
