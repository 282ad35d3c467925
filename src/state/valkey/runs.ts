import type { NewRun, RunBudgets, RunStore } from '../../broker/run-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { Run } from '../../core/run.ts';
import type { Ask, Link } from './link.ts';
import { AFTERWARDS } from './patience.ts';
import { listLimits, parseRun, readReservation } from './run-record.ts';
import * as scripts from './run-scripts.ts';

export interface ValkeyRunLimits {
  /** Runs at once, of all owners on all brokers. */
  readonly maxRuns: number;
  /** Runs at once of one owner. */
  readonly maxRunsPerOwner: number;
  /** A call's lease that is not renewed for so long lapses. */
  readonly leaseMs: number;
}

const RETRY_AFTER_SECONDS = 30;
const PLACES = 'tb:{runs}:all';

type Keys = Record<'text' | 'limits' | 'used' | 'leases' | 'done', string>;

function keysOf(id: string): Keys {
  const of = (part: string): string => `tb:{run:${id}}:${part}`;
  return { text: of('text'), limits: of('limits'), used: of('used'), leases: of('leases'), done: of('done') };
}

function placesOf(owner: string): readonly string[] {
  return [PLACES, `tb:{runs}:of:${owner}`];
}

/** Runs and their budgets, the same for every broker on this store. */
export function createValkeyRuns(link: Link, limits: ValkeyRunLimits): RunStore & RunBudgets {
  return { ...createStore(link, limits), ...createBudgets(link, limits) };
}

function createStore(link: Link, limits: ValkeyRunLimits): RunStore {
  const { client } = link;
  const take = link.script(scripts.takePlace);
  const create = link.script(scripts.createRun);
  const end = link.script(scripts.endRun);
  /** What fails here is made good when the place lapses, with the time of the run. */
  const leave = ({ id, owner }: NewRun): void => {
    const remove = async (): Promise<unknown> =>
      Promise.all(placesOf(owner).map(async (key) => client.zrem(key, id)));
    void link.ask(remove, AFTERWARDS).catch(() => {});
  };
  return {
    start: async (run, ttlMs) => {
      const room = [run.id, ttlMs, limits.maxRuns, limits.maxRunsPerOwner];
      const [taken, count] = (await take(placesOf(run.owner), room)) as [number, number];
      if (taken === 0) throw noRoom(count);
      return createOrLeave(create, { run, ttlMs, leave });
    },
    find: async (id) => {
      const text = await link.ask(async () => client.get(keysOf(id).text));
      return text === null ? undefined : parseRun(text);
    },
    end: async (id) => {
      const text = (await end(Object.values(keysOf(id)), [])) as string | null;
      if (text === null) return false;
      leave(parseRun(text));
      return true;
    },
  };
}

async function createOrLeave(
  create: Ask,
  { run, ttlMs, leave }: { run: NewRun; ttlMs: number; leave: (run: NewRun) => void },
): Promise<Run> {
  const { text, limits, used } = keysOf(run.id);
  const json = JSON.stringify(run);
  try {
    const now = Number(await create([text, limits, used], [json, ttlMs, ...listLimits(run.limits)]));
    return parseRun(`${now}:${now + ttlMs}:${json}`);
  } catch (error) {
    leave(run);
    throw error;
  }
}

function createBudgets(link: Link, { leaseMs }: ValkeyRunLimits): RunBudgets {
  const reserve = link.script(scripts.reserveCall);
  const cancel = link.script(scripts.cancelCall);
  const renew = link.script(scripts.renewCall);
  const settle = link.script(scripts.settleCall);
  const show = link.script(scripts.showUsage);
  const counters = (runId: string): string[] => {
    const { limits, used, leases, done } = keysOf(runId);
    return [limits, used, leases, done];
  };
  return {
    reserve: async (runId, { leaseId, tool }) => {
      try {
        return readReservation(await reserve(counters(runId), [leaseId, tool, leaseMs]));
      } catch (error) {
        // Whether it was counted is not known, and the call will not run.
        void cancel(counters(runId), [leaseId, tool], AFTERWARDS).catch(() => {});
        throw error;
      }
    },
    renew: async (runId, leaseId) => {
      const { limits, leases } = keysOf(runId);
      return (await renew([limits, leases], [leaseId, leaseMs], AFTERWARDS)) === 1;
    },
    settle: async (runId, leaseId, spent) => {
      const values = [leaseId, spent.runTimeMs, spent.resultBytes, spent.artifactBytes];
      return readReservation(await settle(counters(runId), values, AFTERWARDS));
    },
    usage: async (runId) => {
      const shown = readReservation(await show(counters(runId).slice(0, 3), []));
      return shown.ok ? shown.usage : undefined;
    },
  };
}

function noRoom(count: number): BrokerError {
  return new BrokerError('OVERLOADED', `Too many runs are open (${count}).`, {
    retryAfter: RETRY_AFTER_SECONDS,
    resolution: 'End runs that are done with DELETE /v1/runs/{id}, or wait until some expire.',
  });
}
