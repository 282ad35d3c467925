import type { ErrorCode } from '../core/error-codes.ts';

/** How a call ended: `OK`, an error code, or `DISCONNECTED` when the client had left. */
export type AuditOutcome = 'OK' | 'DISCONNECTED' | ErrorCode;

/** One call, as it stands in the audit log. Sizes and names, never values. */
export interface AuditRecord {
  readonly invocation_id: string;
  readonly request_id: string;
  readonly caller: string;
  /** Absent outside a run. */
  readonly run?: string;
  /** The exact ref, or what the caller wrote where it leads to no tool (shortened, escaped). */
  readonly ref: string;
  /** Absent where there is no tool. */
  readonly origin?: string;
  readonly policy_revision: string;
  readonly argument_bytes: number;
  readonly result_bytes: number;
  readonly artifact_bytes: number;
  readonly outcome: AuditOutcome;
  /** Present where nothing ran: the answer is that of an earlier call with the same idempotency key. */
  readonly replayed?: true;
  readonly queue_ms: number;
  readonly run_ms: number;
}

export type AuditSink = (record: AuditRecord) => void;
