import { randomUUID } from 'node:crypto';

import type { CatalogEntry } from '../catalog/entry.ts';
import type { ToolFile } from '../core/artifact.ts';
import type { JsonObject } from '../core/json.ts';
import type { QuotaView } from '../core/quota-view.ts';
import type { Delivery, InvocationRequest } from './invocation.ts';

/** One call on its way through the steps. Each step fills in what it found out; `record` reads it at the end. */
export interface Call {
  readonly invocationId: string;
  readonly request: InvocationRequest;
  entry?: CatalogEntry;
  delivery: Delivery;
  argumentBytes: number;
  resultBytes: number;
  artifactBytes: number;
  queueMs: number;
  runMs: number;
  /** The tool was started, so the call may have had an effect. */
  started: boolean;
  /** It got the answer of an earlier call with its idempotency key. */
  replayed: boolean;
  /** The quotas that this call met, as they stand after it. */
  readonly quotas: QuotaView[];
}

/** A call whose tool is known and allowed and whose arguments are valid. */
export interface ReadyCall extends Call {
  readonly entry: CatalogEntry;
  readonly args: JsonObject;
  readonly files: readonly ToolFile[];
}

export function beginCall(request: InvocationRequest): Call {
  return {
    invocationId: randomUUID(),
    request,
    delivery: 'inline',
    argumentBytes: 0,
    resultBytes: 0,
    artifactBytes: 0,
    queueMs: 0,
    runMs: 0,
    started: false,
    replayed: false,
    quotas: [],
  };
}
