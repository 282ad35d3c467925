import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startCutProxy, type CutProxy } from '../support/cut-proxy.ts';
import { hasStoreServer, pass, startStoreServer, until, type StoreServer } from '../support/store-server.ts';
import { askAgain, callUntilUsedUp } from './load.ts';
import { ask, startBroker, startRun, writePolicy, type BrokerProcess } from './support.ts';

const BUDGET = 1_000;
const CLIENTS = 200;

describe.skipIf(!hasStoreServer)('three brokers on one store (needs valkey-server or redis-server)', () => {
  const policy = writePolicy();
  let server: StoreServer;
  let proxy: CutProxy;
  let brokers: BrokerProcess[] = [];
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await startStoreServer();
    proxy = await startCutProxy(server.address);
    env = { STATE_URL: `redis://127.0.0.1:${proxy.port}`, POLICY_FILE: policy.path };
    brokers = await Promise.all([1, 2, 3].map(async () => startBroker(env)));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(brokers.map(async (broker) => broker.kill('SIGKILL')));
    await proxy.close();
    await server.stop();
    policy.remove();
  });

  const urls = (): string[] => brokers.map(({ url }) => url);
  const used = async (id: string, token: string): Promise<Record<string, number>> => {
    const { body } = await ask(`${urls()[0]}/v1/runs/${id}`, { method: 'GET', token });
    return body['used'] as Record<string, number>;
  };

  it('let exactly 1,000 calls of 200 clients run on a budget of 1,000', { timeout: 60_000 }, async () => {
    const { id, token } = await startRun(urls()[0]!, { calls: BUDGET });
    const before = brokers.map(({ ran }) => ran());
    const outcome = await callUntilUsedUp({
      urls: urls(),
      token,
      clients: CLIENTS,
      thinkMs: 0,
      keyed: false,
    });
    expect(outcome.malformed).toEqual([]);
    expect(outcome.dropped).toBe(0);
    expect([...outcome.errors.keys()].filter((error) => error !== 'QUOTA_EXCEEDED')).toEqual([]);
    expect(outcome.answered.size).toBe(BUDGET);
    expect(await used(id, token)).toMatchObject({ calls: BUDGET, concurrent_calls: 0 });
    const ran = (): number[] => brokers.map((broker, at) => broker.ran() - (before[at] ?? 0));
    await until(() => ran().reduce((sum, count) => sum + count, 0) >= BUDGET);
    expect(ran().reduce((sum, count) => sum + count, 0)).toBe(BUDGET);
    expect(ran().every((count) => count > 0)).toBe(true);
  });

  it('know a run, a file and an answer that another of them made', async () => {
    const [first, second, third] = urls();
    const { id, token } = await startRun(first!, { calls: 5 });
    const made = await askAgain(second!, token, 'one');
    const again = await askAgain(third!, token, 'one');
    expect(again.replayed).toBe(true);
    expect(again.body['invocation_id']).toBe(made.body['invocation_id']);
    expect(again.body['artifact']).toEqual(made.body['artifact']);
    const { url } = made.body['download'] as { url: string };
    const file = await fetch(`${first}${url}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await file.text()).toContain('Give notice');
    expect(await used(id, token)).toMatchObject({ calls: 1 });
    await ask(`${second}/v1/runs/${id}`, { method: 'DELETE', token });
    for (const url of urls()) {
      const answer = await askAgain(url, token, 'two');
      expect(answer).toMatchObject({ status: 401, body: { error: 'UNAUTHENTICATED' } });
    }
  });

  it(
    'keep to the budget and lose no answer while one is killed and the store is cut, stopped and slow',
    { timeout: 120_000 },
    async () => {
      const { id, token } = await startRun(urls()[0]!, { calls: BUDGET });
      const before = brokers.map(({ ran }) => ran());
      const dead: number[] = [];
      const load = callUntilUsedUp({ urls: urls(), token, clients: CLIENTS, thinkMs: 2_500, keyed: true });

      await until(() => brokers[1]!.ran() - (before[1] ?? 0) >= 20, 30_000);
      const { port } = brokers[1]!;
      await brokers[1]!.kill('SIGKILL');
      dead.push(brokers[1]!.ran() - (before[1] ?? 0));
      const restarting = startBroker(env, { port });
      await pass(1_000);
      proxy.cut();
      await pass(2_000);
      const refused = await ask(`${urls()[0]}/readyz`, { method: 'GET' });
      proxy.restore();
      brokers[1] = await restarting;
      before[1] = 0;
      await pass(500);
      server.process.kill('SIGSTOP');
      await pass(2_000);
      server.process.kill('SIGCONT');
      await pass(500);
      proxy.slow(200);
      await pass(3_000);
      proxy.slow(0);
      const outcome = await load;

      expect(refused).toMatchObject({ status: 503, body: { error: 'OVERLOADED' } });
      expect(outcome.malformed).toEqual([]);
      expect(outcome.dropped).toBeGreaterThan(0);
      expect(outcome.errors.get('OVERLOADED')).toBeGreaterThan(0);
      const allowed = new Set(['QUOTA_EXCEEDED', 'OVERLOADED', 'CONFLICT']);
      expect([...outcome.errors.keys()].filter((error) => !allowed.has(error))).toEqual([]);
      const ran = [...dead, ...brokers.map((broker, at) => broker.ran() - (before[at] ?? 0))];
      expect(ran.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(BUDGET);
      expect(outcome.answered.size).toBeLessThanOrEqual(BUDGET);
      // A call that was in the killed broker may have used its place up without an answer.
      expect(outcome.answered.size).toBeGreaterThan(BUDGET * 0.95);
      await until(async () => (await used(id, token))['concurrent_calls'] === 0);
      expect(await used(id, token)).toMatchObject({ calls: BUDGET });
      console.log(
        `answered ${outcome.answered.size}, ran ${ran.join('+')}, dropped ${outcome.dropped}, refused`,
        Object.fromEntries(outcome.errors),
      );
      await expectEveryAnswerKept(outcome.answered, token);
    },
  );

  /** Each answer is there again, at whichever broker. */
  async function expectEveryAnswerKept(answered: ReadonlyMap<string, string>, token: string): Promise<void> {
    const all = [...answered];
    for (let from = 0; from < all.length; from += 50) {
      await Promise.all(
        all.slice(from, from + 50).map(async ([key, invocation], at) => {
          const again = await askAgain(urls()[at % 3]!, token, key);
          expect([key, again.replayed, again.body['invocation_id']]).toEqual([key, true, invocation]);
        }),
      );
    }
  }

  it('wait at the start for a store that is away', { timeout: 30_000 }, async () => {
    proxy.cut();
    const told: string[] = [];
    const starting = startBroker(env, { told });
    await until(() => told.length > 0, 25_000);
    proxy.restore();
    const late = await starting;
    brokers.push(late);
    expect(told[0]).toMatch(/^tool-broker waits for its store at 127\.0\.0\.1:\d+: /u);
    expect(await ask(`${late.url}/readyz`, { method: 'GET' })).toMatchObject({ status: 200 });
  });
});
