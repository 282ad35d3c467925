import type { Grant } from '../core/grant.ts';
import { formatRef } from '../core/ref.ts';
import type { ToolSpec } from '../core/tool.ts';

/** Why a tool is or is not allowed; for operators only. A caller never learns which refusal it was. */
export type DecisionReason =
  | 'allowed'
  | 'not_approved'
  | 'not_for_caller'
  | 'not_in_profile'
  | 'not_in_run'
  | 'empty_shelf';

export interface Decision {
  readonly allowed: boolean;
  readonly reason: DecisionReason;
}

/**
 * The one gate. Pure and total: list, describe and invoke all ask it, and nothing else decides. Without a grant,
 * or with an empty one, nothing is allowed; each layer of a grant can only take away.
 */
export function decide(tool: ToolSpec, grant: Grant | undefined): Decision {
  const ref = formatRef(tool);
  if (grant === undefined || !grant.approved.has(ref)) return refuse('not_approved');
  if (grant.caller !== undefined && !grant.caller.has(ref)) return refuse('not_for_caller');
  if (grant.profile !== undefined && !grant.profile.has(ref)) return refuse('not_in_profile');
  if (grant.run !== undefined && !grant.run.has(ref)) return refuse('not_in_run');
  if (tool.usesShelf === true && (grant.shelf === undefined || grant.shelf.list().length === 0))
    return refuse('empty_shelf');
  return { allowed: true, reason: 'allowed' };
}

function refuse(reason: DecisionReason): Decision {
  return { allowed: false, reason };
}
