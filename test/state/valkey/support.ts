import { afterEach } from 'vitest';

import type { NewRun } from '../../../src/broker/run-store.ts';
import type { ServerAddress } from '../../../src/core/server-address.ts';
import { openValkey } from '../../../src/state/valkey/open-valkey.ts';
import { createValkeyRuns } from '../../../src/state/valkey/runs.ts';
import { startCutProxy, type CutProxy } from '../../support/cut-proxy.ts';
import { makeLog, startStoreServer, type StoreServer } from '../../support/store-server.ts';

/** What a test has opened, closed again after it, the last one first. */
export const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

export async function serve(...args: Parameters<typeof startStoreServer>): Promise<StoreServer> {
  const server = await startStoreServer(...args);
  cleanups.push(server.stop);
  return server;
}

export function open(address: ServerAddress) {
  const { log, told } = makeLog();
  const valkey = openValkey(address, log);
  cleanups.push(valkey.close);
  return { valkey, told, runs: createValkeyRuns(valkey.counters, room) };
}

export async function openNow(address: ServerAddress) {
  const opened = open(address);
  await opened.valkey.opened(() => {});
  return opened;
}

export const room = { maxRuns: 100, maxRunsPerOwner: 100, leaseMs: 5_000 };
export const spent = { runTimeMs: 10, resultBytes: 5, artifactBytes: 0 };
const limits = {
  calls: 100,
  callsPerTool: {},
  resultBytes: 1_000,
  artifactBytes: 1_000,
  runTimeMs: 100_000,
  concurrentCalls: 50,
};
export const run: NewRun = {
  id: 'r',
  owner: 'ann',
  tokenSha256: '',
  tools: [],
  skills: [],
  limits,
  labels: {},
};
export const call = {
  scope: 's',
  key: 'k',
  fingerprint: 'f',
  leaseMs: 5_000,
  ttlMs: 60_000,
  mayRepeat: false,
};
export const file = { name: 'a', mediaType: 'text/plain', bytes: Buffer.alloc(600_000, 1) };
export const overloaded = { code: 'OVERLOADED', retryable: true, facts: { retryAfter: 2 } };

/** A proxy before the server, and the address that leads through it. */
export async function putProxyBefore(
  server: StoreServer,
): Promise<{ proxy: CutProxy; address: ServerAddress }> {
  const proxy = await startCutProxy(server.address);
  cleanups.push(proxy.close);
  return { proxy, address: { ...server.address, port: proxy.port } };
}
