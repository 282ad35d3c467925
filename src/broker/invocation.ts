import type { ToolFile } from '../core/artifact.ts';
import type { Fault } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { ErrorCode } from '../core/error-codes.ts';
import type { Grant } from '../core/grant.ts';
import type { JsonObject, JsonValue } from '../core/json.ts';
import type { StoredArtifact } from './artifact-store.ts';

/** How the caller wants a file: in the envelope, as a link only, or as the bare bytes. */
export type Delivery = 'inline' | 'link' | 'bytes';

/** One call as it arrives. */
export interface InvocationRequest {
  readonly requestId: string;
  readonly caller: Caller;
  readonly grant: Grant;
  /** As the caller wrote it: `name`, `name@version`, … */
  readonly ref: string;
  /** Undefined when the caller sent none. */
  readonly arguments: JsonValue | undefined;
  /** Aborts when the client leaves. */
  readonly disconnected: AbortSignal;
  /**
   * Chooses the delivery once it is known what the tool can produce, before anything runs. Throws NOT_ACCEPTABLE.
   */
  readonly negotiate: (produces: readonly string[]) => Delivery;
}

/** What happened once a tool had started. A refusal before that is a thrown BrokerError. */
export type InvocationOutcome = InvocationSuccess | InvocationFailure;

export interface InvocationSuccess {
  readonly ok: true;
  readonly invocationId: string;
  readonly ref: string;
  readonly output: JsonObject;
  readonly delivery: Delivery;
  readonly file?: { readonly content: ToolFile; readonly stored: StoredArtifact };
  readonly durationMs: number;
}

export interface InvocationFailure {
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
