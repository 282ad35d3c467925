import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Caller } from '../../src/core/caller.ts';
import type { Tool } from '../../src/core/tool.ts';
import { createValkeyArtifacts } from '../../src/state/valkey/artifacts.ts';
import { openValkey } from '../../src/state/valkey/open-valkey.ts';
import { createValkeyRuns } from '../../src/state/valkey/runs.ts';
import { makeBroker, makeRequest } from '../support/calls.ts';
import {
  hasStoreServer,
  makeLog,
  pass,
  startStoreServer,
  type StoreServer,
} from '../support/store-server.ts';
import { makeCatalog, makeTool } from '../support/tools.ts';

const limits = {
  calls: 100,
  callsPerTool: {},
  resultBytes: 10_000,
  artifactBytes: 10_000,
  runTimeMs: 100_000,
  concurrentCalls: 3,
};

/** Runs until it is told to stop. */
function makeSlowTool(): Tool {
  return makeTool(
    {},
    {
      execute: async (_args, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
        }),
    },
  );
}

describe.skipIf(!hasStoreServer)('two brokers on one store (needs valkey-server or redis-server)', () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(async () => server.stop());

  async function open(leaseMs: number) {
    const valkey = openValkey(server.address, makeLog().log);
    await valkey.opened(() => {});
    const runs = createValkeyRuns(valkey.counters, { maxRuns: 10, maxRunsPerOwner: 10, leaseMs });
    const artifacts = createValkeyArtifacts(valkey.files, { maxBytes: 100_000 });
    const catalog = makeCatalog([makeSlowTool()]);
    const { broker } = makeBroker(catalog, { budgets: runs, artifacts });
    const call = async (caller: Caller) => broker.invoke(makeRequest(catalog, { caller }));
    return { runs, call, close: valkey.close };
  }

  async function startRun({ runs }: Awaited<ReturnType<typeof open>>, id: string): Promise<Caller> {
    const fresh = { id, owner: 'ann', tokenSha256: '', tools: ['echo@1'], skills: [], limits, labels: {} };
    return { name: 'ann', roles: ['runner'], run: await runs.start(fresh, 60_000) };
  }

  it('stop the calls of a run within two seconds when it is ended at the other one', async () => {
    const [here, there] = [await open(5_000), await open(5_000)];
    const caller = await startRun(here, 'ended');
    const calls = [here.call(caller), there.call(caller)];
    await pass(300);
    expect(await there.runs.usage('ended')).toMatchObject({ concurrentCalls: 2 });
    const since = performance.now();
    expect(await there.runs.end('ended')).toBe(true);
    for (const outcome of await Promise.all(calls)) {
      expect(outcome).toMatchObject({
        ok: false,
        code: 'TIMEOUT',
        message: expect.stringMatching(/run is over/u),
      });
    }
    expect(performance.now() - since).toBeLessThan(2_000);
    here.close();
    there.close();
  });

  it('get back the places of one that died', async () => {
    const [here, there] = [await open(500), await open(500)];
    const caller = await startRun(here, 'died');
    void here.call(caller).catch(() => {});
    void here.call(caller).catch(() => {});
    await pass(100);
    expect(await there.runs.usage('died')).toMatchObject({ concurrentCalls: 2 });
    here.close();
    await pass(900);
    expect(await there.runs.usage('died')).toMatchObject({ concurrentCalls: 0, calls: 2 });
    there.close();
  });
});
