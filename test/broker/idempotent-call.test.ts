import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import type { IdempotencyStore } from '../../src/broker/idempotency-store.ts';
import type { RunBudgets } from '../../src/broker/run-store.ts';
import { BrokerError } from '../../src/core/broker-error.ts';
import type { Caller } from '../../src/core/caller.ts';
import type { Run } from '../../src/core/run.ts';
import type { ToolSpec } from '../../src/core/tool.ts';
import { createMemoryIdempotency } from '../../src/state/memory/idempotency.ts';
import { createMemoryRuns } from '../../src/state/memory/runs.ts';
import { makeBroker, makeRequest } from '../support/calls.ts';
import { makeCatalog, makeTool } from '../support/tools.ts';

const lost = async (): Promise<never> => {
  throw new BrokerError('OVERLOADED', 'The store cannot be reached.', { retryAfter: 2 });
};
const makeStore = (now = () => performance.now()): IdempotencyStore =>
  createMemoryIdempotency({ maxBytes: 1_000_000, maxRunning: 100, now });

function makeCounter(spec: Partial<ToolSpec> = {}, ms = 0) {
  const counter = { ran: 0 };
  const tool = makeTool(spec, {
    execute: async () => {
      counter.ran += 1;
      await sleep(ms);
      return { status: 'ok', output: { ran: counter.ran } };
    },
  });
  return { counter, catalog: makeCatalog([tool]) };
}

const limits = {
  calls: 100,
  callsPerTool: {},
  resultBytes: 10_000,
  artifactBytes: 10_000,
  runTimeMs: 60_000,
  concurrentCalls: 10,
};

async function startRun(): Promise<{ budgets: RunBudgets; run: Run; caller: Caller }> {
  const budgets = createMemoryRuns({
    maxRuns: 10,
    maxRunsPerOwner: 10,
    leaseMs: 5_000,
    now: () => performance.now(),
  });
  const run = await budgets.start(
    { id: 'r', owner: 'ann', tokenSha256: '', tools: [], skills: [], limits, labels: {} },
    60_000,
  );
  return { budgets, run, caller: { name: 'ann', roles: ['runner'], run } };
}

describe('a call whose broker died', () => {
  it.each([
    ['package:kit', 'CONFLICT', 0],
    ['builtin', undefined, 1],
    ['repository', undefined, 1],
    ['directory:own', undefined, 1],
  ] as const)('of %s is asked for again: %s', async (origin, code, runs) => {
    let time = 0;
    const idempotency = makeStore(() => time);
    const { counter, catalog } = makeCounter({ origin });
    const dying = makeBroker(catalog, {
      idempotency: { ...idempotency, renew: async () => {}, finish: lost },
    });
    const request = makeRequest(catalog, { idempotencyKey: 'k' });
    await dying.broker.invoke(request);
    expect(counter.ran).toBe(1);
    const { broker } = makeBroker(catalog, { idempotency });
    await expect(broker.invoke(request)).rejects.toMatchObject({ code: 'CONFLICT', retryable: true });
    time += 6_000;
    const again = await broker.invoke(request).catch((error: unknown) => error);
    expect([again instanceof BrokerError ? again.code : undefined, counter.ran - 1]).toEqual([code, runs]);
    const message = again instanceof BrokerError ? again.message : 'outcome is unknown';
    expect(message).toContain('outcome is unknown');
  });
});

describe('a call that waits in the queue', () => {
  it('holds its key for as long as it waits', { timeout: 20_000 }, async () => {
    const { counter, catalog } = makeCounter({ origin: 'package:kit', limits: { timeoutMs: 15_000 } }, 1_800);
    let renewed = 0;
    const store = makeStore();
    const idempotency: IdempotencyStore = {
      ...store,
      renew: async (...lease) => {
        renewed += 1;
        return store.renew(...lease);
      },
    };
    const { broker } = makeBroker(catalog, { idempotency, laneLimits: { maxRunning: 2, maxWaiting: 10 } });
    const first = broker.invoke(makeRequest(catalog));
    const waiting = broker.invoke(makeRequest(catalog, { idempotencyKey: 'k' }));
    await sleep(1_400);
    expect([counter.ran, renewed]).toEqual([1, 1]);
    await Promise.all([first, waiting]);
    expect(counter.ran).toBe(2);
  });
});

describe('a store that is lost', () => {
  it('lets no keyed call through', async () => {
    const { counter, catalog } = makeCounter();
    const { broker } = makeBroker(catalog, { idempotency: { begin: lost, renew: lost, finish: lost } });
    await expect(broker.invoke(makeRequest(catalog, { idempotencyKey: 'k' }))).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    expect(counter.ran).toBe(0);
    expect((await broker.invoke(makeRequest(catalog))).ok).toBe(true);
  });

  it('lets no call through that a run would have to count, and gives its place back', async () => {
    const { counter, catalog } = makeCounter();
    const { caller, budgets } = await startRun();
    const { broker } = makeBroker(catalog, { budgets: { ...budgets, reserve: lost, usage: lost } });
    for (let count = 0; count < 10; count += 1) {
      await expect(broker.invoke(makeRequest(catalog, { caller }))).rejects.toMatchObject({
        code: 'OVERLOADED',
        facts: { retryAfter: 2 },
      });
    }
    expect([counter.ran, broker.load().inline]).toEqual([0, { running: 0, waiting: 0 }]);
  });

  it('lets no call through whose rate cannot be counted', async () => {
    const { counter, catalog } = makeCounter();
    const { broker } = makeBroker(catalog, { rateLimiter: { take: lost } });
    const caller: Caller = { name: 'ann', roles: ['runner'], rateLimit: { requests: 9, windowSeconds: 9 } };
    await expect(broker.invoke(makeRequest(catalog, { caller }))).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    expect(counter.ran).toBe(0);
  });

  it('after the tool has run gives no refusal that invites a client to call again', async () => {
    const { counter, catalog } = makeCounter();
    const { caller, budgets } = await startRun();
    const { broker, audited } = makeBroker(catalog, { budgets: { ...budgets, settle: lost } });
    await expect(broker.invoke(makeRequest(catalog, { caller }))).rejects.toMatchObject({
      code: 'INTERNAL',
      retryable: false,
      message: 'The tool ran, but its result could not be counted or kept.',
    });
    expect([counter.ran, audited.at(-1)?.outcome]).toEqual([1, 'INTERNAL']);
  });

  it('at the end of a keyed call takes the answer away from nobody', async () => {
    const { catalog } = makeCounter();
    const { broker } = makeBroker(catalog, { idempotency: { ...makeStore(), finish: lost } });
    expect((await broker.invoke(makeRequest(catalog, { idempotencyKey: 'k' }))).ok).toBe(true);
  });
});

describe('a result over a cap', () => {
  it('costs its run the time and no bytes, for they are not handed on', async () => {
    const tool = makeTool(
      {},
      {
        execute: async () => ({
          status: 'ok',
          output: {},
          file: { name: 'a', mediaType: 'text/plain', bytes: Buffer.alloc(1_001) },
        }),
      },
    );
    const catalog = makeCatalog([tool]);
    const { caller, budgets } = await startRun();
    const { broker } = makeBroker(catalog, { budgets });
    expect(await broker.invoke(makeRequest(catalog, { caller }))).toMatchObject({
      ok: false,
      code: 'RESULT_TOO_LARGE',
    });
    expect(await budgets.usage('r')).toMatchObject({ calls: 1, artifactBytes: 0, resultBytes: 0 });
  });
});

describe('the end of a run between the answer and its file', () => {
  it('lets the file go again', async () => {
    const tool = makeTool(
      {},
      {
        execute: async () => ({
          status: 'ok',
          output: {},
          file: { name: 'a', mediaType: 'text/plain', bytes: Buffer.from('x') },
        }),
      },
    );
    const catalog = makeCatalog([tool]);
    const { caller, budgets } = await startRun();
    const dropped: unknown[] = [];
    const { broker } = makeBroker(catalog, {
      budgets: { ...budgets, renew: async () => false },
      artifacts: {
        put: async (owner, file) => ({
          id: 'a',
          owner,
          name: file.name,
          mediaType: file.mediaType,
          sizeBytes: 1,
          sha256: '',
          expiresAt: new Date(),
        }),
        find: async () => undefined,
        read: async () => undefined,
        drop: async (owner) => void dropped.push(owner),
      },
    });
    expect(await broker.invoke(makeRequest(catalog, { caller }))).toMatchObject({
      ok: false,
      code: 'TIMEOUT',
    });
    expect(dropped).toEqual([{ caller: 'ann', run: 'r' }]);
  });
});
