import { describe, expect, it } from 'vitest';

import { createValkeyArtifacts } from '../../../src/state/valkey/artifacts.ts';
import { createValkeyIdempotency } from '../../../src/state/valkey/idempotency.ts';
import type { Valkey } from '../../../src/state/valkey/open-valkey.ts';
import { createValkeyRateLimiter } from '../../../src/state/valkey/rate-limiter.ts';
import { createValkeyRuns } from '../../../src/state/valkey/runs.ts';
import { hasStoreServer, pass, until } from '../../support/store-server.ts';
import { call, file, openNow, overloaded, putProxyBefore, room, run, serve, spent } from './support.ts';

/** Everything that a call asks before its tool starts. */
function askAll(valkey: Valkey): Promise<unknown>[] {
  const runs = createValkeyRuns(valkey.counters, room);
  return [
    runs.start({ ...run, id: 'other' }, 60_000),
    runs.find('r'),
    runs.reserve('r', { leaseId: 'x', tool: 'echo' }),
    runs.renew('r', 'x'),
    runs.usage('r'),
    createValkeyIdempotency(valkey.counters, { maxBytes: 1_000, maxRunning: 9 }).begin(call),
    createValkeyRateLimiter(valkey.counters).take('ann', { requests: 5, windowSeconds: 60 }),
    createValkeyArtifacts(valkey.files, { maxBytes: 10_000 }).find({ caller: 'ann' }, 'x'),
  ];
}

async function expectAllRefused(valkey: Valkey): Promise<void> {
  const answers = await Promise.allSettled(askAll(valkey));
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: overloaded });
  }
}

describe.skipIf(!hasStoreServer)('a lost store (needs valkey-server or redis-server)', () => {
  it('refuses everything with OVERLOADED and retry_after, says why once, and works again by itself', async () => {
    const server = await serve();
    const { proxy, address } = await putProxyBefore(server);
    const { valkey, runs, told } = await openNow(address);
    await runs.start(run, 60_000);
    expect(await valkey.works()).toBe(true);
    proxy.cut();
    await pass(50);
    await expectAllRefused(valkey);
    await pass(600);
    expect(await valkey.works()).toBe(false);
    await expectAllRefused(valkey);
    proxy.restore();
    await until(async () => valkey.works());
    expect(await runs.reserve('r', { leaseId: 'a', tool: 'echo' })).toMatchObject({ ok: true });
    await until(() => told.at(-1)?.message === 'The store works again.');
    expect(told.filter(({ level }) => level === 'error').length).toBeLessThanOrEqual(3);
    expect(told[0]).toMatchObject({ level: 'error', fields: { store: `127.0.0.1:${proxy.port}` } });
  });

  it('refuses quickly while the store hangs, however many ask, and lets nothing pile up', async () => {
    const server = await serve();
    const { valkey, runs } = await openNow(server.address);
    await runs.start(run, 60_000);
    server.process.kill('SIGSTOP');
    const first = runs.reserve('r', { leaseId: 'a', tool: 'echo' });
    await expect(first).rejects.toMatchObject(overloaded);
    const since = performance.now();
    const many = await Promise.allSettled(
      Array.from({ length: 2_000 }, async (_unused, index) =>
        runs.reserve('r', { leaseId: `m${index}`, tool: 'echo' }),
      ),
    );
    expect(performance.now() - since).toBeLessThan(1_500);
    expect(many.every(({ status }) => status === 'rejected')).toBe(true);
    expect(valkey.counters.client.commandQueue.length).toBeLessThan(100);
    server.process.kill('SIGCONT');
    await until(async () => valkey.works());
    expect(await runs.find('r')).toMatchObject({ id: 'r' });
  });

  it('counts nothing for a call that it refused because no answer came', async () => {
    const server = await serve();
    const { valkey, runs } = await openNow(server.address);
    await runs.start(run, 60_000);
    server.process.kill('SIGSTOP');
    await expect(runs.reserve('r', { leaseId: 'a', tool: 'echo' })).rejects.toMatchObject(overloaded);
    server.process.kill('SIGCONT');
    await until(async () => valkey.works());
    await until(async () => (await runs.usage('r'))?.concurrentCalls === 0);
    expect(await runs.usage('r')).toMatchObject({ calls: 0, callsPerTool: {}, concurrentCalls: 0 });
  });

  it('waits for a store that is away when a call has run, and counts it exactly once', async () => {
    const server = await serve();
    const { proxy, address } = await putProxyBefore(server);
    const { valkey, runs } = await openNow(address);
    const keyed = createValkeyIdempotency(valkey.counters, { maxBytes: 100_000, maxRunning: 9 });
    const artifacts = createValkeyArtifacts(valkey.files, { maxBytes: 1_000_000 });
    await runs.start(run, 60_000);
    const leases = Array.from({ length: 20 }, (_unused, index) => `l${index}`);
    await Promise.all(leases.map(async (leaseId) => runs.reserve('r', { leaseId, tool: 'echo' })));
    const begun = await keyed.begin(call);
    // Some of these are on their way when the connection breaks.
    proxy.slow(40);
    const settled = leases.map(async (lease) => runs.settle('r', lease, spent));
    await pass(30);
    proxy.cut();
    const finished = keyed.finish(call, begun.state === 'new' ? begun.lease : '', { ok: true });
    const stored = artifacts.put({ caller: 'ann' }, file, 60_000);
    await pass(2_000);
    proxy.restore();
    proxy.slow(0);
    for (const settlement of await Promise.all(settled)) expect(settlement).toMatchObject({ ok: true });
    await finished;
    expect(await runs.usage('r')).toMatchObject({
      calls: 20,
      runTimeMs: 200,
      resultBytes: 100,
      concurrentCalls: 0,
    });
    expect(await keyed.begin(call)).toEqual({ state: 'done', answer: { ok: true } });
    const { id } = await stored;
    const read = await artifacts.read({ caller: 'ann' }, id, { start: 0, end: 599_999 });
    expect(read?.length).toBe(600_000);
  });

  it('gives up on a call that has run when the store stays away', async () => {
    const server = await serve();
    const { runs } = await openNow(server.address);
    await runs.start(run, 60_000);
    await runs.reserve('r', { leaseId: 'a', tool: 'echo' });
    await server.stop();
    await expect(runs.settle('r', 'a', spent)).rejects.toMatchObject(overloaded);
  });

  it('works through a store that is 200 ms away', async () => {
    const server = await serve();
    const { proxy, address } = await putProxyBefore(server);
    const { runs } = await openNow(address);
    proxy.slow(200);
    await runs.start(run, 60_000);
    const answers = await Promise.all(
      Array.from({ length: 150 }, async (_unused, index) =>
        runs.reserve('r', { leaseId: `l${index}`, tool: 'echo' }),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(50);
  });
});
