import { setTimeout as pause } from 'node:timers/promises';

import type { Redis } from 'iovalkey';

import { BrokerError } from '../../core/broker-error.ts';
import type { ServerAddress } from '../../core/server-address.ts';
import { connect } from './connect.ts';
import { describeStoreFault } from './store-fault.ts';
import type { StoreWatch } from './store-watch.ts';

/** Text, a number or bytes, as a script takes them. */
export type Value = string | number | Buffer;

export interface Script {
  /** Unique. */
  readonly name: string;
  readonly keys: number;
  readonly lua: string;
}

/** Keys first, then values; one round trip. */
export type Ask = (
  keys: readonly string[],
  values: readonly Value[],
  patience?: Patience,
) => Promise<unknown>;

/**
 * For what must not be lost, such as the end of a call that ran: it is asked again until it gets through or so many
 * milliseconds have passed. Only for what may be asked twice.
 */
export interface Patience {
  readonly patienceMs: number;
}

export interface Link {
  readonly client: Redis;
  /** Rejects with OVERLOADED and `retry_after` when the store is lost, full, slow, or not ours to write to. */
  readonly ask: <Answer>(command: () => Promise<Answer>, patience?: Patience) => Promise<Answer>;
  readonly script: (script: Script) => Ask;
  /** Writes something small. Rejects with what the client says. */
  readonly probe: () => Promise<unknown>;
  readonly close: () => void;
}

/** Requests without an answer on one connection. */
const MAX_PENDING = 10_000;
const RETRY_AFTER_SECONDS = 2;
const ASK_AGAIN_MS = 100;
const PROBE_TTL_MS = 10_000;

/** One connection, its scripts, and one way to fail. */
export function openLink(address: ServerAddress, watch: () => StoreWatch): Link {
  const lose = (error: unknown): void => watch().lose(describeStoreFault(error));
  const client = connect(address, lose);

  const askOnce = async <Answer>(command: () => Promise<Answer>): Promise<Answer> => {
    if (watch().fault() !== undefined) throw storeLost();
    if (client.commandQueue.length >= MAX_PENDING) {
      lose(Object.assign(new Error('too many pending'), { code: 'PENDING' }));
      throw storeLost();
    }
    try {
      return await command();
    } catch (error) {
      lose(error);
      throw storeLost();
    }
  };
  const ask = async <Answer>(command: () => Promise<Answer>, patience?: Patience): Promise<Answer> => {
    const giveUpAt = performance.now() + (patience?.patienceMs ?? 0);
    for (;;) {
      try {
        return await askOnce(command);
      } catch (error) {
        if (performance.now() + ASK_AGAIN_MS >= giveUpAt) throw error;
        await pause(ASK_AGAIN_MS);
      }
    }
  };
  return {
    client,
    ask,
    script: (script) => {
      const run = defineScript(client, script);
      return async (keys, values, patience) => ask(async () => run(keys, values), patience);
    },
    probe: async () => client.set('tb:probe', '1', 'PX', PROBE_TTL_MS),
    close: () => client.disconnect(),
  };
}

/** The client adds a method for each script; it sends its hash, and its text where the server has not got it yet. */
function defineScript(client: Redis, { name, keys, lua }: Script): Ask {
  client.defineCommand(name, { lua, numberOfKeys: keys });
  const methods = client as unknown as Record<string, ((...all: Value[]) => Promise<unknown>) | undefined>;
  return async (keys, values) => methods[name]?.(...keys, ...values);
}

function storeLost(): BrokerError {
  return new BrokerError('OVERLOADED', 'The store that all brokers share does not answer as it should.', {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
