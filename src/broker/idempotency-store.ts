import type { JsonObject } from '../core/json.ts';

export interface IdempotencyKey {
  /** The run or the caller that the key belongs to; the same key of another one is another key. */
  readonly scope: string;
  readonly key: string;
}

export interface BeginCall extends IdempotencyKey {
  /** Ref, arguments and file hashes in one digest. */
  readonly fingerprint: string;
  /** A call that is not renewed for so long has lost its broker. */
  readonly leaseMs: number;
  /** How long the answer is kept. */
  readonly ttlMs: number;
  /** The tool has no effects, so a call whose broker died may run again. */
  readonly mayRepeat: boolean;
}

export type BeginResult =
  /** This call is the first: it holds `lease` and must finish or abandon it. */
  | { readonly state: 'new'; readonly lease: string }
  /** The stored answer, as it was given to `finish`. */
  | { readonly state: 'done'; readonly answer: JsonObject }
  | { readonly state: 'running' }
  /** The same key with another fingerprint. */
  | { readonly state: 'different' }
  /** The broker that ran it died; whether it had an effect is not known. */
  | { readonly state: 'lost' };

/**
 * Answers by idempotency key. Each method is one atomic step. Bounded; the oldest answers go first, running ones
 * never. A lost store rejects with OVERLOADED.
 */
export interface IdempotencyStore {
  begin(call: BeginCall): Promise<BeginResult>;
  /** Keeps a running call's lease alive. */
  renew(key: IdempotencyKey, lease: string, leaseMs: number): Promise<void>;
  /** Stores the answer; without one the key is forgotten, as if the call had never been. */
  finish(key: IdempotencyKey, lease: string, answer: JsonObject | undefined): Promise<void>;
}
