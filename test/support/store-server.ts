import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Redis } from 'iovalkey';

import type { ServerAddress } from '../../src/core/server-address.ts';

/** The first of these that is installed. */
const program = ['valkey-server', 'redis-server'].find((name) => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

export const hasStoreServer = program !== undefined;

export interface StoreServer {
  readonly address: ServerAddress;
  readonly process: ChildProcess;
  /** A client of the test's own. */
  readonly client: Redis;
  readonly stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A real server in memory, on a port of its own. `options` as in its configuration: `['--maxmemory', '2mb']`. */
export async function startStoreServer(
  options: readonly string[] = [],
  at: { port?: number; password?: string } = {},
): Promise<StoreServer> {
  if (program === undefined) throw new Error('neither valkey-server nor redis-server is installed');
  const port = at.port ?? (await freePort());
  const dir = mkdtempSync(join(tmpdir(), 'store-'));
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'];
  const password = at.password === undefined ? [] : ['--requirepass', at.password];
  const child = spawn(program, [...args, ...password, ...options], { stdio: 'ignore' });
  const client = new Redis({ host: '127.0.0.1', port, password: at.password ?? '', retryStrategy: () => 20 });
  client.on('error', () => {});
  await client.ping();
  return {
    address: { host: '127.0.0.1', port, tls: false, database: 0, ...at },
    process: child,
    client,
    stop: async () => {
      client.disconnect();
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** What the store would tell its operator. */
export interface Told {
  readonly level: 'error' | 'warn';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export function makeLog() {
  const told: Told[] = [];
  const take =
    (level: Told['level']) =>
    (fields: Told['fields'], message: string): void =>
      void told.push({ level, fields, message });
  return { told, log: { error: take('error'), warn: take('warn') } };
}

export const pass = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until it holds; gives up after a time that no healthy machine needs. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`did not come true within ${withinMs} ms`);
    await pass(20);
  }
}
