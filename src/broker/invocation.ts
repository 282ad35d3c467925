import type { ToolFile } from '../core/artifact.ts';
import type { Fault } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { ErrorCode } from '../core/error-codes.ts';
import type { Grant } from '../core/grant.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { QuotaView } from '../core/quota-view.ts';
import type { Client } from './call-signal.ts';
import type { StoredArtifact } from './artifact-store.ts';

/** How the caller wants a file: in the envelope, as a link only, or as the bare bytes. */
export type Delivery = 'inline' | 'link' | 'bytes';

/** A file that comes with the call, or one that lies in the store. */
export type RequestFile =
  | { readonly name: string; readonly base64: string; readonly mediaType?: string }
  | { readonly name: string; readonly artifactId: string };

/** One call as it arrives. */
export interface InvocationRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly grant: Grant;
  /** As the caller wrote it: `name`, `name@version`, … */
  readonly ref: string;
  /** Undefined when the caller sent none. */
  readonly arguments: JsonValue | undefined;
  /** Files for the tool; absent: none. */
  readonly files?: readonly RequestFile[];
  /** 1 to 255 visible ASCII characters; absent: the call is not to be repeated safely. */
  readonly idempotencyKey?: string;
  readonly client: Client;
  /**
   * Chooses the delivery once it is known what the tool can produce, before anything runs. Throws NOT_ACCEPTABLE.
   */
  readonly negotiate: (produces: readonly string[]) => Delivery;
}

/** What happened once a tool had started. A refusal before that is a thrown BrokerError. */
export type InvocationOutcome = InvocationSuccess | InvocationFailure;

interface Accounted {
  /** The quotas that the call met, as they stand after it; empty where it met none. */
  readonly quotas: readonly QuotaView[];
  /** The stored answer of an earlier call with the same Idempotency-Key. */
  readonly replayed: boolean;
}

export interface InvocationSuccess extends Accounted {
  readonly ok: true;
  readonly invocationId: string;
  readonly ref: string;
  readonly output: JsonObject;
  readonly delivery: Delivery;
  readonly file?: { readonly content: ToolFile; readonly stored: StoredArtifact };
  readonly durationMs: number;
}

export interface InvocationFailure extends Accounted {
  readonly ok: false;
  readonly invocationId: string;
  readonly ref: string;
  readonly delivery: Delivery;
  readonly code: ErrorCode;
  readonly message: string;
  readonly resolution: string;
  readonly retryable: boolean;
  readonly details?: readonly Fault[];
  readonly output?: JsonObject;
  readonly durationMs: number;
}
