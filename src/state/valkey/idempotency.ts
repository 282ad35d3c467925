import { createHash, randomUUID } from 'node:crypto';

import type { BeginResult, IdempotencyKey, IdempotencyStore } from '../../broker/idempotency-store.ts';
import { BrokerError } from '../../core/broker-error.ts';
import type { JsonObject } from '../../core/json.ts';
import * as scripts from './idempotency-scripts.ts';
import type { Link } from './link.ts';
import { AFTERWARDS } from './patience.ts';

export interface ValkeyIdempotencyLimits {
  /** Bytes of all stored answers as JSON; the oldest go first. */
  readonly maxBytes: number;
  /** Calls with a key that run at once, on all brokers. */
  readonly maxRunning: number;
}

const BASE = ['tb:{keys}'];
const ENTRY_BYTES = 512;
const RETRY_AFTER_SECONDS = 2;

/** Answers by idempotency key, the same for every broker on this store. */
export function createValkeyIdempotency(link: Link, limits: ValkeyIdempotencyLimits): IdempotencyStore {
  const begin = link.script(scripts.beginKeyed);
  const renew = link.script(scripts.renewKeyed);
  const finish = link.script(scripts.finishKeyed);
  return {
    begin: async (call) => {
      const lease = randomUUID();
      const times = [call.leaseMs, call.ttlMs, call.mayRepeat ? '1' : '0'];
      const values = [identify(call), call.fingerprint, lease, ...times, limits.maxRunning];
      return readBegun((await begin(BASE, values)) as [string, unknown], lease);
    },
    renew: async (key, lease, leaseMs) => {
      await renew(BASE, [identify(key), lease, leaseMs]);
    },
    finish: async (key, lease, answer) => {
      const json = answer === undefined ? undefined : JSON.stringify(answer);
      const kept = json === undefined ? [] : [json, Buffer.byteLength(json) + ENTRY_BYTES, limits.maxBytes];
      await finish(BASE, [identify(key), lease, ...kept], AFTERWARDS);
    },
  };
}

function readBegun([state, value]: [string, unknown], lease: string): BeginResult {
  if (state === 'full') throw noRoom(Number(value));
  if (state === 'done') return { state, answer: JSON.parse(String(value)) as JsonObject };
  return state === 'new' ? { state, lease } : { state: state as 'running' | 'different' | 'lost' };
}

/** The length keeps `a` + `bc` apart from `ab` + `c`; a hash has no characters that mean anything. */
function identify({ scope, key }: IdempotencyKey): string {
  return createHash('sha256').update(`${scope.length}:${scope}:${key}`).digest('base64url');
}

function noRoom(count: number): BrokerError {
  return new BrokerError('OVERLOADED', `Too many calls with an Idempotency-Key run at once (${count}).`, {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
