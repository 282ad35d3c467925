import { ERROR_CODES } from '../core/error-codes.ts';
import type { ToolResult } from '../core/tool.ts';
import type { ReadyCall } from './call.ts';
import type { InvocationFailure, InvocationSuccess } from './invocation.ts';

export type Succeeded = ToolResult & { readonly status: 'ok' };
export type Failed = ToolResult & { readonly status: 'failed' };

export function toSuccess(
  call: ReadyCall,
  { output }: Succeeded,
  lifted: Pick<InvocationSuccess, 'file' | 'delivery'>,
): InvocationSuccess {
  return { ok: true, output, ...lifted, ...factsOf(call) };
}

export function toFailure(call: ReadyCall, result: Failed): InvocationFailure {
  const facts = ERROR_CODES[result.code];
  return {
    ok: false,
    delivery: call.delivery,
    code: result.code,
    message: result.message,
    resolution: result.resolution ?? facts.resolution,
    retryable: result.retryable ?? facts.retryable,
    ...(result.output === undefined ? {} : { output: result.output }),
    ...factsOf(call),
  };
}

function factsOf(call: ReadyCall) {
  return {
    invocationId: call.invocationId,
    ref: call.entry.ref,
    /** Whole milliseconds from admission to answer. */
    durationMs: Math.round(call.queueMs + call.runMs),
    quotas: call.quotas,
    replayed: false,
  };
}
