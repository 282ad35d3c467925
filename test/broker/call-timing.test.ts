import { describe, expect, it } from 'vitest';

import type { Tool } from '../../src/core/tool.ts';
import { makeBroker, makeRequest } from '../support/calls.ts';
import { makeCatalog, makeTool } from '../support/tools.ts';

function sleepyTool(parts: Partial<Tool> = {}): Tool {
  return makeTool(
    { limits: { timeoutMs: 60 } },
    {
      execute: async (_args, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        ),
      ...parts,
    },
  );
}

function makeClient() {
  let left = false;
  let listener = (): void => {};
  return {
    get left() {
      return left;
    },
    onLeave: (wanted: () => void) => {
      listener = wanted;
    },
    leave: () => {
      left = true;
      listener();
    },
  };
}

describe('the time of a call', () => {
  it('stops a tool at its deadline, answers TIMEOUT and gives its place back', async () => {
    const catalog = makeCatalog([sleepyTool()]);
    const { broker, audited } = makeBroker(catalog);
    expect(await broker.invoke(makeRequest(catalog))).toMatchObject({
      ok: false,
      code: 'TIMEOUT',
      retryable: true,
    });
    expect(broker.load().inline).toEqual({ running: 0, waiting: 0 });
    expect(audited[0]?.outcome).toBe('TIMEOUT');
  });

  it('counts the wait in the queue towards the deadline, and says OVERLOADED when it passes there', async () => {
    const catalog = makeCatalog([
      sleepyTool({ spec: makeTool({ limits: { timeoutMs: 1_000 } }).spec }),
      { ...sleepyTool(), spec: makeTool({ name: 'late', limits: { timeoutMs: 50 } }).spec },
    ]);
    const { broker } = makeBroker(catalog, { laneLimits: { maxRunning: 1, maxWaiting: 4 } });
    const first = broker.invoke(makeRequest(catalog));
    await expect(broker.invoke(makeRequest(catalog, { ref: 'late' }))).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
    await first;
  });

  it('stops the tool when the client leaves, and records that', async () => {
    const leaving = makeClient();
    const catalog = makeCatalog([sleepyTool({ spec: makeTool({ limits: { timeoutMs: 5_000 } }).spec })]);
    const { broker, audited } = makeBroker(catalog);
    const call = broker.invoke(makeRequest(catalog, { client: leaving }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(broker.load().inline.running).toBe(1);
    leaving.leave();
    await call;
    expect(broker.load().inline.running).toBe(0);
    expect(audited[0]?.outcome).toBe('DISCONNECTED');
  });

  it('lets running calls finish when the service stops, takes no new ones, and stops those that outlast the grace', async () => {
    const catalog = makeCatalog([sleepyTool({ spec: makeTool({ limits: { timeoutMs: 30_000 } }).spec })]);
    const { broker } = makeBroker(catalog);
    const running = broker.invoke(makeRequest(catalog));
    await new Promise((resolve) => setImmediate(resolve));
    const closing = broker.close(30);
    await expect(broker.invoke(makeRequest(catalog))).rejects.toMatchObject({ code: 'OVERLOADED' });
    await closing;
    expect(await running).toMatchObject({ ok: false, code: 'TIMEOUT' });
  });
});
