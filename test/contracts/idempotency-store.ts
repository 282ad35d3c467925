import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { BeginCall, IdempotencyStore } from '../../src/broker/idempotency-store.ts';

export interface IdempotencyUnderTest {
  readonly store: IdempotencyStore;
  readonly other: IdempotencyStore;
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

let count = 0;
function makeCall(call: Partial<BeginCall> = {}): BeginCall {
  count += 1;
  return {
    scope: 'run-1',
    key: `key-${process.pid}-${count}`,
    fingerprint: 'f1',
    leaseMs: 300,
    ttlMs: 60_000,
    mayRepeat: false,
    ...call,
  };
}

/** What every store of answers by idempotency key keeps to. */
export function idempotencyStoreContract(
  name: string,
  make: (limits: { maxBytes: number; maxRunning: number }) => Promise<IdempotencyUnderTest>,
): void {
  describe(`answers by idempotency key: ${name}`, () => {
    let made: IdempotencyUnderTest;
    beforeAll(async () => {
      made = await make({ maxBytes: 1_000_000, maxRunning: 1_000 });
    });
    afterAll(async () => made.close());

    const start = async (call: BeginCall): Promise<string> => {
      const begun = await made.store.begin(call);
      if (begun.state !== 'new') throw new Error(begun.state);
      return begun.lease;
    };

    it('lets exactly one of many at once begin', async () => {
      const call = makeCall();
      const doors = [made.store, made.other];
      const states = await Promise.all(
        Array.from({ length: 40 }, async (_unused, index) => (await doors[index % 2]!.begin(call)).state),
      );
      expect(states.filter((state) => state === 'new')).toHaveLength(1);
      expect(states.filter((state) => state === 'running')).toHaveLength(39);
    });

    it('gives the stored answer, the same to the letter, through any door', async () => {
      const call = makeCall();
      const answer = { ok: true, output: { text: '"{}"\n é 😀', n: 0.1, empty: {}, list: [] } };
      await made.store.finish(call, await start(call), answer);
      expect(await made.other.begin(call)).toEqual({ state: 'done', answer });
    });

    it('tells the same key with another fingerprint apart, running and done', async () => {
      const call = makeCall();
      const lease = await start(call);
      expect(await made.other.begin({ ...call, fingerprint: 'f2' })).toEqual({ state: 'different' });
      await made.store.finish(call, lease, { ok: true });
      expect(await made.other.begin({ ...call, fingerprint: 'f2' })).toEqual({ state: 'different' });
    });

    it('keeps scopes apart, however the texts are cut', async () => {
      const call = makeCall({ scope: 'ab', key: 'c' });
      await start(call);
      expect((await made.store.begin({ ...call, scope: 'a', key: 'bc' })).state).toBe('new');
      expect((await made.store.begin({ ...call, scope: 'ab:c', key: '' })).state).toBe('new');
    });

    it('forgets a call that never started', async () => {
      const call = makeCall();
      await made.store.finish(call, await start(call), undefined);
      expect((await made.other.begin(call)).state).toBe('new');
    });

    it('says that the outcome is unknown when a call is no longer renewed, and never runs it again', async () => {
      const call = makeCall();
      await start(call);
      await made.pass(500);
      expect((await made.other.begin(call)).state).toBe('lost');
      expect((await made.store.begin(call)).state).toBe('lost');
    });

    it('runs it again where the tool has no effects, and then listens to the second only', async () => {
      const call = makeCall({ mayRepeat: true });
      const first = await start(call);
      await made.pass(500);
      const second = await start(call);
      await made.store.finish(call, first, { from: 'first' });
      expect((await made.other.begin(call)).state).toBe('running');
      await made.store.finish(call, second, { from: 'second' });
      expect(await made.other.begin(call)).toEqual({ state: 'done', answer: { from: 'second' } });
    });

    it('takes a renewed call for running', async () => {
      const call = makeCall();
      const lease = await start(call);
      await made.pass(200);
      await made.store.renew(call, lease, 300);
      await made.pass(200);
      expect((await made.other.begin(call)).state).toBe('running');
    });

    it('forgets an answer when its time is over', async () => {
      const call = makeCall({ ttlMs: 60 });
      await made.store.finish(call, await start(call), { ok: true });
      await made.pass(150);
      expect((await made.other.begin(call)).state).toBe('new');
    });
  });

  describe(`room for answers by idempotency key: ${name}`, () => {
    const finish = async (store: IdempotencyStore, call: BeginCall, bytes: number): Promise<void> => {
      const begun = await store.begin(call);
      if (begun.state === 'new') await store.finish(call, begun.lease, { text: 'x'.repeat(bytes) });
    };

    it('lets the oldest answer go when room is needed, and no running call', async () => {
      const { store, close } = await make({ maxBytes: 5_000, maxRunning: 10 });
      const [running, ...calls] = [makeCall({ leaseMs: 60_000 }), makeCall(), makeCall(), makeCall()];
      await store.begin(running);
      for (const call of calls) await finish(store, call, 1_500);
      expect((await store.begin(running)).state).toBe('running');
      expect((await store.begin(calls[2])).state).toBe('done');
      expect((await store.begin(calls[0])).state).toBe('new');
      await close();
    });

    it('has the room of answers whose time is over again', async () => {
      const { store, pass, close } = await make({ maxBytes: 5_000, maxRunning: 10 });
      const [kept, ...short] = [makeCall(), makeCall({ ttlMs: 60 }), makeCall({ ttlMs: 60 })];
      await finish(store, kept, 1_000);
      for (const call of short) await finish(store, call, 1_000);
      await pass(150);
      for (const call of [makeCall(), makeCall()]) await finish(store, call, 1_000);
      expect((await store.begin(kept)).state).toBe('done');
      await close();
    });

    it('refuses the call after the last one that may run with OVERLOADED, and takes it when one has ended', async () => {
      const { store, close } = await make({ maxBytes: 5_000, maxRunning: 2 });
      const first = makeCall();
      const begun = await store.begin(first);
      await store.begin(makeCall());
      await expect(store.begin(makeCall())).rejects.toMatchObject({ code: 'OVERLOADED' });
      if (begun.state === 'new') await store.finish(first, begun.lease, undefined);
      expect((await store.begin(makeCall())).state).toBe('new');
      await close();
    });
  });
}
