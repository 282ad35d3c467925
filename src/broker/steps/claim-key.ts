import { createHash } from 'node:crypto';

import type { CatalogEntry } from '../../catalog/entry.ts';
import { BrokerError } from '../../core/broker-error.ts';
import { formatOwner, ownerOf } from '../../core/caller.ts';
import { canonicalJson, type JsonObject } from '../../core/json.ts';
import type { ReadyCall } from '../call.ts';
import type { IdempotencyStore } from '../idempotency-store.ts';
import type { InvocationOutcome } from '../invocation.ts';
import { hashFiles } from './gather-files.ts';
import { storeOutcome } from '../stored-outcome.ts';

const RETRY_RUNNING_SECONDS = 2;

/** A lease outlasts a few missed renewals. */
const LEASE_MS = 5_000;

export interface KeyHold {
  readonly renew: () => Promise<void>;
  /** Stores the answer; without one the call counts as never made. */
  readonly finish: (outcome: InvocationOutcome | undefined) => Promise<void>;
}

export type Claim =
  | { readonly first: true; readonly hold: KeyHold }
  | { readonly first: false; readonly answer: JsonObject };

/**
 * Between validate and admit: the first call with a key goes on, a repeated one gets the stored answer.
 * Throws CONFLICT for the same key with another call, while the first one runs, and when nobody knows how it ended.
 */
export async function claimKey(
  call: ReadyCall,
  key: string,
  { store, ttlMs }: { store: IdempotencyStore; ttlMs: number },
): Promise<Claim> {
  const id = { scope: formatOwner(ownerOf(call.request.caller)), key };
  const begun = await store.begin({
    ...id,
    fingerprint: fingerprintOf(call),
    leaseMs: LEASE_MS,
    ttlMs,
    mayRepeat: mayRepeat(call.entry),
  });
  if (begun.state === 'done') return { first: false, answer: begun.answer };
  if (begun.state !== 'new') throw refuse(begun.state);
  return {
    first: true,
    hold: {
      renew: async () => store.renew(id, begun.lease, LEASE_MS),
      finish: async (outcome) => store.finish(id, begun.lease, outcome && storeOutcome(outcome)),
    },
  };
}

/** Built-ins and skills have no effects; a command of a package may have some. */
export function mayRepeat({ spec }: CatalogEntry): boolean {
  return !spec.origin.startsWith('package:');
}

function refuse(state: 'running' | 'different' | 'lost'): BrokerError {
  const { message, ...facts } = REFUSALS[state];
  return new BrokerError('CONFLICT', message, facts);
}

const REFUSALS = {
  running: {
    message: 'The call with this Idempotency-Key is still running.',
    retryable: true,
    retryAfter: RETRY_RUNNING_SECONDS,
    resolution: 'Wait `retry_after` seconds, then send the same call again for its answer.',
  },
  different: {
    message: 'This Idempotency-Key was used for another tool or other arguments.',
    resolution: 'Use a new Idempotency-Key for a new call; send exactly the same call to repeat one.',
  },
  lost: {
    message: 'The call with this Idempotency-Key was interrupted; its outcome is unknown.',
    resolution: 'Find out whether it had its effect, then use a new Idempotency-Key if it must run again.',
  },
};

function fingerprintOf(call: ReadyCall): string {
  const parts = [call.entry.ref, canonicalJson(call.args), hashFiles(call.files)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
