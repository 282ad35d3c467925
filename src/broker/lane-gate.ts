import { BrokerError } from '../core/broker-error.ts';

export interface GateLimits {
  /** Calls at once. */
  readonly maxRunning: number;
  /** Calls that wait; 0 refuses at once when all places are taken. */
  readonly maxWaiting: number;
}

/** Gives the place back. Safe to call more than once. */
export type Release = () => void;

export interface LaneGate {
  /**
   * A place for `owner`, at once or when one falls free. One owner holds at most half of the places and half of
   * the queue. Rejects with OVERLOADED when the queue is full, and with the signal's reason when it aborts first.
   */
  enter(owner: string, call: { readonly signal: AbortSignal }): Promise<Release>;
  readonly running: number;
  readonly waiting: number;
}

interface Waiter {
  readonly owner: string;
  readonly admit: () => void;
}

const RETRY_AFTER_SECONDS = 2;

export function createLaneGate(limits: GateLimits): LaneGate {
  const places = createPlaces(limits.maxRunning);
  const queue: Waiter[] = [];
  const queueShare = Math.max(1, Math.floor(limits.maxWaiting / 2));

  /** First come, first served, passing over owners that hold their share already. */
  const admitNext = (): void => {
    const index = queue.findIndex((waiter) => places.mayTake(waiter.owner));
    if (index >= 0) queue.splice(index, 1)[0]?.admit();
  };

  return {
    enter: async (owner, call) => {
      const take = (): Release => places.take(owner, admitNext);
      if (places.mayTake(owner)) return take();
      const own = queue.filter((waiter) => waiter.owner === owner).length;
      if (queue.length >= limits.maxWaiting || own >= queueShare) throw queueFull(queue.length);
      return wait(queue, { owner, take }, call.signal);
    },
    get running() {
      return places.taken;
    },
    get waiting() {
      return queue.length;
    },
  };
}

interface Places {
  mayTake(owner: string): boolean;
  take(owner: string, onRelease: () => void): Release;
  readonly taken: number;
}

function createPlaces(count: number): Places {
  const share = Math.max(1, Math.floor(count / 2));
  const held = new Map<string, number>();
  let taken = 0;
  const giveBack = (owner: string): void => {
    taken -= 1;
    const left = (held.get(owner) ?? 1) - 1;
    if (left === 0) held.delete(owner);
    else held.set(owner, left);
  };
  return {
    mayTake: (owner) => taken < count && (held.get(owner) ?? 0) < share,
    take: (owner, onRelease) => {
      taken += 1;
      held.set(owner, (held.get(owner) ?? 0) + 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        giveBack(owner);
        onRelease();
      };
    },
    get taken() {
      return taken;
    },
  };
}

/** The place is taken in the moment it falls free, so nobody can slip in between. */
async function wait(
  queue: Waiter[],
  { owner, take }: { owner: string; take: () => Release },
  signal: AbortSignal,
): Promise<Release> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      queue.splice(queue.indexOf(waiter), 1);
      reject(signal.reason as Error);
    };
    const waiter: Waiter = {
      owner,
      admit: () => {
        signal.removeEventListener('abort', leave);
        resolve(take());
      },
    };
    if (signal.aborted) reject(signal.reason as Error);
    else {
      signal.addEventListener('abort', leave, { once: true });
      queue.push(waiter);
    }
  });
}

function queueFull(waiting: number): BrokerError {
  return new BrokerError('OVERLOADED', `Too many calls are waiting (${waiting}); this one did not start.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
