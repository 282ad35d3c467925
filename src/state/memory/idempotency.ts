import { randomUUID } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type {
  BeginCall,
  BeginResult,
  IdempotencyKey,
  IdempotencyStore,
} from '../../broker/idempotency-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { JsonObject } from '../../core/json.ts';

export interface MemoryIdempotencyLimits {
  /** Bytes of all stored answers as JSON; the oldest go first. */
  readonly maxBytes: number;
  /** Calls with a key that run at once. */
  readonly maxRunning: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

interface Running {
  readonly lease: string;
  readonly call: BeginCall;
  leaseEndsMs: number;
  /** A call of unknown outcome is remembered for as long as its answer would have been. */
  readonly forgetAtMs: number;
}

interface Answered {
  readonly fingerprint: string;
  readonly answer: JsonObject;
}

const ENTRY_BYTES = 512;

/** Answers in this process; gone when it ends. */
export function createMemoryIdempotency(limits: MemoryIdempotencyLimits): IdempotencyStore {
  const running = new Map<string, Running>();
  const answered = createAnswerCache(limits);

  const start = (id: string, call: BeginCall): BeginResult => {
    if (running.size >= limits.maxRunning) dropForgotten(running, limits.now());
    if (running.size >= limits.maxRunning) throw noRoom(running.size);
    const lease = randomUUID();
    const now = limits.now();
    running.set(id, { lease, call, leaseEndsMs: now + call.leaseMs, forgetAtMs: now + call.ttlMs });
    return { state: 'new', lease };
  };

  return {
    begin: async (call) => {
      const id = identify(call);
      const done = answered.peek(id);
      if (done !== undefined) return answer(done, call);
      const open = running.get(id);
      if (open === undefined || isForgotten(open, limits.now())) return start(id, call);
      if (open.call.fingerprint !== call.fingerprint) return { state: 'different' };
      if (open.leaseEndsMs > limits.now()) return { state: 'running' };
      if (!call.mayRepeat) return { state: 'lost' };
      running.delete(id);
      return start(id, call);
    },
    renew: async (key, lease, leaseMs) => {
      const open = running.get(identify(key));
      if (open?.lease === lease) open.leaseEndsMs = limits.now() + leaseMs;
    },
    finish: async (key, lease, result) => {
      const id = identify(key);
      const open = running.get(id);
      if (open?.lease !== lease) return;
      running.delete(id);
      if (result === undefined) return;
      const done = { fingerprint: open.call.fingerprint, answer: result };
      // What has expired goes before anything that has not.
      if (answered.calculatedSize + sizeOf(done) > limits.maxBytes) answered.purgeStale();
      answered.set(id, done, { ttl: open.call.ttlMs });
    },
  };
}

function isForgotten(open: Running, now: number): boolean {
  return open.leaseEndsMs <= now && open.forgetAtMs <= now;
}

function dropForgotten(running: Map<string, Running>, now: number): void {
  for (const [id, open] of running) if (isForgotten(open, now)) running.delete(id);
}

function createAnswerCache({ maxBytes, now }: MemoryIdempotencyLimits): LRUCache<string, Answered> {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    updateAgeOnGet: false,
    perf: { now },
    ttlResolution: 0,
  });
}

function sizeOf({ answer }: Answered): number {
  return Buffer.byteLength(JSON.stringify(answer)) + ENTRY_BYTES;
}

/** The lengths keep `a` + `bc` apart from `ab` + `c`. */
function identify({ scope, key }: IdempotencyKey): string {
  return `${scope.length}:${scope}:${key}`;
}

function answer(done: Answered, call: BeginCall): BeginResult {
  return done.fingerprint === call.fingerprint
    ? { state: 'done', answer: done.answer }
    : { state: 'different' };
}

function noRoom(count: number): BrokerError {
  return new BrokerError('OVERLOADED', `Too many calls with an Idempotency-Key run at once (${count}).`, {
    retryAfter: 2,
  });
}
