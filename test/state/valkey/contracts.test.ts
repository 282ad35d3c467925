import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { createValkeyArtifacts } from '../../../src/state/valkey/artifacts.ts';
import { createValkeyIdempotency } from '../../../src/state/valkey/idempotency.ts';
import { openValkey, type Valkey } from '../../../src/state/valkey/open-valkey.ts';
import { createValkeyRateLimiter } from '../../../src/state/valkey/rate-limiter.ts';
import { createValkeyRuns } from '../../../src/state/valkey/runs.ts';
import { artifactStoreContract } from '../../contracts/artifact-store.ts';
import { idempotencyStoreContract } from '../../contracts/idempotency-store.ts';
import { rateLimiterContract } from '../../contracts/rate-limiter.ts';
import { runStoreContract } from '../../contracts/run-store.ts';
import {
  hasStoreServer,
  makeLog,
  pass,
  startStoreServer,
  type StoreServer,
} from '../../support/store-server.ts';

describe.skipIf(!hasStoreServer)('state in Valkey (needs valkey-server or redis-server)', () => {
  let server: StoreServer;
  beforeAll(async () => {
    server = await startStoreServer();
  });
  afterAll(async () => server.stop());

  /** Two doors, as two brokers have them, to an empty store. */
  async function openTwo(): Promise<{ one: Valkey; two: Valkey; close: () => Promise<void> }> {
    await server.client.flushall();
    const [one, two] = [openValkey(server.address, makeLog().log), openValkey(server.address, makeLog().log)];
    await Promise.all([one.opened(() => {}), two.opened(() => {})]);
    return {
      one,
      two,
      close: async () => {
        one.close();
        two.close();
      },
    };
  }

  artifactStoreContract('valkey', async (limits) => {
    const { one, two, close } = await openTwo();
    return {
      store: createValkeyArtifacts(one.files, limits),
      other: createValkeyArtifacts(two.files, limits),
      close,
    };
  });

  runStoreContract('valkey', async (limits) => {
    const { one, two, close } = await openTwo();
    const [runs, other] = [createValkeyRuns(one.counters, limits), createValkeyRuns(two.counters, limits)];
    return { runs, other, pass, close };
  });

  idempotencyStoreContract('valkey', async (limits) => {
    const { one, two, close } = await openTwo();
    const [store, other] = [
      createValkeyIdempotency(one.counters, limits),
      createValkeyIdempotency(two.counters, limits),
    ];
    return { store, other, pass, close };
  });

  rateLimiterContract('valkey', async () => {
    const { one, two, close } = await openTwo();
    return {
      limiter: createValkeyRateLimiter(one.counters),
      other: createValkeyRateLimiter(two.counters),
      close,
    };
  });

  describe('what all keys have in common', () => {
    afterEach(async () => {
      await server.client.flushall();
    });

    it('gives every key the prefix and an expiry', async () => {
      const { one, close } = await openTwo();
      const runs = createValkeyRuns(one.counters, { maxRuns: 9, maxRunsPerOwner: 9, leaseMs: 5_000 });
      const limits = {
        calls: 9,
        callsPerTool: { echo: 3 },
        resultBytes: 9,
        artifactBytes: 9,
        runTimeMs: 9,
        concurrentCalls: 9,
      };
      const run = { id: 'r', owner: 'ann', tokenSha256: '', tools: [], skills: [], limits, labels: {} };
      await runs.start(run, 60_000);
      await runs.reserve('r', { leaseId: 'a', tool: 'echo' });
      await runs.reserve('r', { leaseId: 'b', tool: 'echo' });
      await runs.settle('r', 'a', { runTimeMs: 1, resultBytes: 1, artifactBytes: 1 });
      const keyed = createValkeyIdempotency(one.counters, { maxBytes: 10_000, maxRunning: 9 });
      const call = { scope: 's', fingerprint: 'f', leaseMs: 5_000, ttlMs: 60_000, mayRepeat: false };
      await keyed.begin({ ...call, key: 'runs' });
      const begun = await keyed.begin({ ...call, key: 'ends' });
      await keyed.finish({ scope: 's', key: 'ends' }, begun.state === 'new' ? begun.lease : '', { ok: true });
      await createValkeyRateLimiter(one.counters).take('ann', { requests: 5, windowSeconds: 60 });
      const artifacts = createValkeyArtifacts(one.files, { maxBytes: 2_000_000 });
      const file = { name: 'a', mediaType: 'text/plain', bytes: Buffer.alloc(600_000, 1) };
      await artifacts.put({ caller: 'ann', run: 'r' }, file, 60_000);
      const keys = await server.client.keys('*');
      expect(keys.length).toBeGreaterThan(16);
      for (const key of keys) {
        expect(key).toMatch(/^tb:/u);
        const ttlMs = await server.client.pttl(key);
        expect([key, ttlMs > 0 && ttlMs <= 60_000]).toEqual([key, true]);
      }
      await close();
    });

    it('never looks through keys: no script or command scans', async () => {
      const stats = await server.client.info('commandstats');
      const names = [...stats.matchAll(/^cmdstat_([^:]+):/gmu)].map(([, name]) => name);
      expect(names).toContain('evalsha');
      // `keys` is this test's own, above.
      for (const name of ['scan', 'hscan', 'sscan', 'zscan', 'randomkey', 'sort'])
        expect(names).not.toContain(name);
    });
  });
});
