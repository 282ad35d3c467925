import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { hasStoreServer, startStoreServer, type StoreServer } from '../test/support/store-server.ts';
import { measureRequests, median } from './support/load.ts';
import type { Row } from './support/row.ts';
import { startServer, type ServerProcess } from './support/server-process.ts';

const ROUNDS = 5;
const COUNTED_CALLS = 200;

/** The most that one call of a run asks of its store: who holds the token, a place, and the place back. */
const MAX_ROUND_TRIPS = 3;

const POLICY = `approve: [local]
limits: { run_calls: 1000000, run_result_bytes: 68719476736, run_time_ms: 604800000, run_concurrent_calls: 1000, max_concurrent_calls: 200, max_queued_calls: 400 }
`;

/** A call that makes no file, so that the rows show what budgets cost and nothing else. */
const TOOL = 'date_math';
const body = JSON.stringify({ arguments: { operation: 'weekday', date: '2028-02-29' } });

interface Kind {
  readonly server: ServerProcess;
  readonly token?: string;
}

/** The same call with the budgets of a run, in memory and in Valkey, against without, in turn; and its round trips. */
export async function benchBudgets(): Promise<Row[]> {
  if (!hasStoreServer) throw new Error('neither valkey-server nor redis-server is installed');
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const policy = join(dir, 'policy.yaml');
  writeFileSync(policy, POLICY);
  const store = await startStoreServer();
  const env = { POLICY_FILE: policy, HOST: '127.0.0.1' };
  const memory = await startServer(['dist/main.js'], env);
  const valkey = await startServer(['dist/main.js'], {
    ...env,
    STATE_URL: `redis://127.0.0.1:${store.address.port}`,
  });
  const kinds = {
    without: { server: memory },
    memory: { server: memory, token: await startRun(memory) },
    valkey: { server: valkey, token: await startRun(valkey) },
  };
  const rows = [...(await compare(kinds)), await countRoundTrips(kinds.valkey, store)];
  await Promise.all([memory.stop(), valkey.stop(), store.stop()]);
  rmSync(dir, { recursive: true });
  return rows;
}

async function startRun({ url }: ServerProcess): Promise<string> {
  const answer = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await answer.json()) as { token: string }).token;
}

async function compare(kinds: Record<'without' | 'memory' | 'valkey', Kind>): Promise<Row[]> {
  const figures = { without: [] as number[], memory: [] as number[], valkey: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['without', 'memory', 'valkey'] as const) {
      const { server, token } = kinds[name];
      const url = `${server.url}/v1/tools/${TOOL}/invoke`;
      const rate = await measureRequests({
        url,
        body,
        connections: 50,
        seconds: 3,
        ...(token !== undefined && { token }),
      });
      // The first round warms all up.
      if (round > 0) figures[name].push(rate);
    }
  }
  return (
    [
      ['memory', 0.9],
      ['valkey', 0.5],
    ] as const
  ).map(([name, aim]) => {
    const ratio = median(figures[name].map((rate, round) => rate / (figures.without[round] ?? Number.NaN)));
    return {
      what: `${TOOL} with budgets in ${name} against without (requests a second, 50 connections)`,
      ours: median(figures[name]).toFixed(0),
      bare: median(figures.without).toFixed(0),
      ratio,
      aim: `at least ${aim}`,
      met: ratio >= aim,
    };
  });
}

/** Counts what the server was asked, its own commands inside scripts left out. */
async function countRoundTrips({ server, token }: Kind, { client }: StoreServer): Promise<Row> {
  const asked = async (): Promise<number> => {
    const stats = await client.info('commandstats');
    const counts = [...stats.matchAll(/^cmdstat_(?:evalsha|eval|get):calls=(\d+)/gmu)];
    return counts.reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  const before = await asked();
  for (let call = 0; call < COUNTED_CALLS; call += 1) {
    const answer = await fetch(`${server.url}/v1/tools/${TOOL}/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body,
    });
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
  }
  const perCall = ((await asked()) - before) / COUNTED_CALLS;
  return {
    what: `${TOOL} with budgets in valkey: round trips to the store a call`,
    ours: perCall.toFixed(2),
    bare: '0',
    ratio: perCall,
    aim: `at most ${MAX_ROUND_TRIPS}`,
    met: perCall <= MAX_ROUND_TRIPS,
  };
}
