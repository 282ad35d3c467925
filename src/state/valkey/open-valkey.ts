import { setTimeout as pause } from 'node:timers/promises';

import { placeOf, type ServerAddress } from '../../core/server-address.ts';
import { CONNECT_MS } from './connect.ts';
import { openLink, type Link } from './link.ts';
import { describeStoreFault, type StoreFault } from './store-fault.ts';
import { watchStore, type StoreLog, type StoreWatch } from './store-watch.ts';

export interface Valkey {
  /** For counters and answers. */
  readonly counters: Link;
  /** For the bytes of files, which must not hold the counters up. */
  readonly files: Link;
  /** Resolves once the store can be written to; says what it waits for, first at once, then each so often. */
  readonly opened: (tell: (line: string) => void) => Promise<void>;
  /** Whether the store can be written to now. */
  readonly works: () => Promise<boolean>;
  readonly close: () => void;
}

const SAY_AGAIN_MS = 5_000;
const TRY_AGAIN_MS = 250;
const PROBE_KEPT_MS = 500;

/** Two connections to one server, for all stores of this process. */
export function openValkey(address: ServerAddress, log: StoreLog): Valkey {
  const links: Link[] = [];
  const probe = async (): Promise<unknown> => Promise.all(links.map(async (link) => link.probe()));
  const opening = { done: false };
  // Until it is open, the lines of `opened` say what is wrong.
  const quiet: StoreLog = {
    error: (fields, message) => opening.done && log.error(fields, message),
    warn: (fields, message) => opening.done && log.warn(fields, message),
  };
  const watch: StoreWatch = watchStore(placeOf(address), probe, quiet);
  const [counters, files] = [openLink(address, () => watch), openLink(address, () => watch)];
  links.push(counters, files);
  return {
    counters,
    files,
    opened: async (tell) => {
      const whatIsWrong = (error: unknown): StoreFault => watch.fault() ?? describeStoreFault(error);
      await waitFor(probe, whatIsWrong, ({ message }) =>
        tell(`tool-broker waits for its store at ${placeOf(address)}: ${message}`),
      );
      watch.regain();
      opening.done = true;
    },
    works: keepAnswer(PROBE_KEPT_MS, async () => {
      try {
        await probe();
        watch.regain();
        return true;
      } catch (error) {
        watch.lose(describeStoreFault(error));
        return false;
      }
    }),
    close: () => {
      watch.close();
      for (const link of links) link.close();
    },
  };
}

/** Tells what is wrong when that is known, again when it changes, and each so often. */
async function waitFor(
  probe: () => Promise<unknown>,
  whatIsWrong: (error: unknown) => StoreFault,
  tell: (fault: StoreFault) => void,
): Promise<void> {
  const since = performance.now();
  let told = { kind: '', at: -Infinity };
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      const fault = whatIsWrong(error);
      const now = performance.now();
      const isConnecting = fault.kind === 'CLOSED' && now - since < 2 * CONNECT_MS;
      if (!isConnecting && (fault.kind !== told.kind || now - told.at >= SAY_AGAIN_MS)) {
        told = { kind: fault.kind, at: now };
        tell(fault);
      }
      await pause(TRY_AGAIN_MS);
    }
  }
}

/** Whoever asks often, such as a load balancer, costs the store no more than one question each so often. */
function keepAnswer<Answer>(ms: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let askedAt = -Infinity;
  let answer: Promise<Answer> | undefined;
  return async () => {
    if (answer === undefined || performance.now() - askedAt > ms) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}
