import type { Explain, Explanation } from '../catalog/explain.ts';
import type { Callers } from '../catalog/identify.ts';
import type { Identity } from '../catalog/identity.ts';
import { BrokerError } from '../core/broker-error.ts';
import { quote } from '../core/quote.ts';
import { findUsedUp } from './find-used-up.ts';
import { describeRefusal } from './quota.ts';
import type { RunService, RunState } from './run-service.ts';

export interface ExplainQuery {
  readonly ref: string;
  /** Absent: the owner of the run, else who asks. */
  readonly caller?: string;
  readonly run?: string;
}

export interface CallExplanation extends Omit<Explanation, 'reason'> {
  readonly reason: Explanation['reason'] | 'budget_used_up';
  /** For whom it was explained. */
  readonly caller: string;
}

/** Why a call would be refused now, or that it would not. Throws NOT_FOUND for a caller or run that is not there. */
export type ExplainCall = (query: ExplainQuery, asking: Identity) => Promise<CallExplanation>;

export function createExplainCall(parts: {
  readonly explain: Explain;
  readonly callers: Callers;
  readonly runs: Pick<RunService, 'inspect'>;
}): ExplainCall {
  const find = (caller: string | undefined, asking: Identity): Identity | undefined =>
    caller === undefined ? asking : parts.callers.named(caller);
  return async ({ ref, caller, run }, asking) => {
    const state = run === undefined ? undefined : await parts.runs.inspect(run);
    if (run !== undefined && (state === undefined || (caller ?? state.run.owner) !== state.run.owner)) {
      throw noRun(run, caller);
    }
    const who = state === undefined ? find(caller, asking) : state.identity;
    if (who === undefined) throw noCaller(caller ?? state?.run.owner ?? '');
    const explanation = parts.explain(ref, who);
    return { ...explanation, ...(state && holdAgainst(state, explanation)), caller: who.caller.name };
  };
}

/** The budgets count only where nothing else refuses. */
function holdAgainst(
  { run, usage }: RunState,
  { reason, entry }: Explanation,
): Pick<CallExplanation, 'reason' | 'detail'> | undefined {
  if (reason !== 'allowed' || entry === undefined) return undefined;
  const refusal = findUsedUp(usage, run.limits, entry.spec.name);
  return refusal && { reason: 'budget_used_up', detail: describeRefusal(refusal, run) };
}

function noRun(run: string, caller: string | undefined): BrokerError {
  const whose = caller === undefined ? '' : ` of ${quote(caller)}`;
  return new BrokerError('NOT_FOUND', `There is no run ${quote(run)}${whose}.`, {
    resolution: 'Name a run that is neither ended nor expired, with its owner or without a caller.',
  });
}

function noCaller(name: string): BrokerError {
  return new BrokerError('NOT_FOUND', `There is no caller ${quote(name)}, or its key has expired.`, {
    resolution: 'Name a caller of the policy.',
  });
}
