import { setMaxListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { createLaneGate } from '../../src/broker/lane-gate.ts';

const never = new AbortController();
setMaxListeners(0, never.signal);

async function settled(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

describe('a lane gate', () => {
  it('lets n calls of several owners in and makes the next one wait', async () => {
    const gate = createLaneGate({ maxRunning: 2, maxWaiting: 4 });
    const first = await gate.enter('a', never);
    await gate.enter('b', never);
    const third = gate.enter('c', never);
    expect(await settled(third)).toBe(false);
    first();
    await third;
    expect(gate.running).toBe(2);
  });

  it('gives one owner at most half of the places, even when others are free', async () => {
    const gate = createLaneGate({ maxRunning: 4, maxWaiting: 4 });
    await gate.enter('a', never);
    await gate.enter('a', never);
    expect(await settled(gate.enter('a', never))).toBe(false);
    await gate.enter('b', never);
    expect(gate.running).toBe(3);
  });

  it('passes over an owner that holds its share, in order of arrival', async () => {
    const gate = createLaneGate({ maxRunning: 2, maxWaiting: 8 });
    await gate.enter('a', never);
    const b1 = await gate.enter('b', never);
    const order: string[] = [];
    const waiting = ['a', 'c', 'd'].map(async (owner) => {
      const release = await gate.enter(owner, never);
      order.push(owner);
      release();
    });
    b1();
    await Promise.all(waiting.slice(1));
    expect(order).toEqual(['c', 'd']);
  });

  it('refuses the call after the last waiting one with OVERLOADED and a time to come back', async () => {
    const gate = createLaneGate({ maxRunning: 1, maxWaiting: 2 });
    await gate.enter('a', never);
    void gate.enter('b', never);
    void gate.enter('c', never);
    await expect(gate.enter('d', never)).rejects.toMatchObject({
      code: 'OVERLOADED',
      facts: { retryAfter: 2 },
    });
  });

  it('gives one owner at most half of the queue', async () => {
    const gate = createLaneGate({ maxRunning: 1, maxWaiting: 4 });
    await gate.enter('a', never);
    void gate.enter('b', never);
    void gate.enter('b', never);
    await expect(gate.enter('b', never)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(await settled(gate.enter('c', never))).toBe(false);
  });

  it('forgets a waiting call whose signal aborts and keeps no place for it', async () => {
    const gate = createLaneGate({ maxRunning: 1, maxWaiting: 2 });
    const release = await gate.enter('a', never);
    const leaving = new AbortController();
    const left = gate.enter('b', leaving);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(gate.waiting).toBe(0);
    release();
    expect(gate.running).toBe(0);
  });

  it('gives a place back once, however often it is released', async () => {
    const gate = createLaneGate({ maxRunning: 2, maxWaiting: 0 });
    const release = await gate.enter('a', never);
    await gate.enter('b', never);
    release();
    release();
    expect(gate.running).toBe(1);
  });

  it('never runs more than it may under a storm, and ends empty', async () => {
    const gate = createLaneGate({ maxRunning: 3, maxWaiting: 1_000 });
    let most = 0;
    const calls = Array.from({ length: 400 }, async (_unused, index) => {
      const release = await gate.enter(`owner-${index % 7}`, never);
      most = Math.max(most, gate.running);
      await new Promise((resolve) => setImmediate(resolve));
      release();
    });
    await Promise.all(calls);
    expect(most).toBe(3);
    expect([gate.running, gate.waiting]).toEqual([0, 0]);
  });
});
