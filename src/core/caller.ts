import type { Run } from './run.ts';

export type Role = 'runner' | 'operator';

/** Who holds the credential that was presented. */
export interface Caller {
  /** Unique; stands in audit lines and owns artifacts. `anonymous` when no keys are configured. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The profile that narrows this caller; absent: the policy's default profile, if it has one. */
  readonly profile?: string;
  /** The run whose token was presented; absent: it was the caller's own key, or none. */
  readonly run?: Run;
  /** So many calls in so many seconds; absent: no such limit. */
  readonly rateLimit?: { readonly requests: number; readonly windowSeconds: number };
}

/** To whom files and keys belong: to a run, or to a caller and with that to all of the caller's runs. */
export interface Owner {
  readonly caller: string;
  readonly run?: string;
}

export function ownerOf({ name, run }: Caller): Owner {
  return { caller: name, ...(run && { run: run.id }) };
}

/** One text for one owner; a caller's name has no slash. */
export function formatOwner({ caller, run }: Owner): string {
  return run === undefined ? caller : `${caller}/${run}`;
}

export function hasRole(caller: Caller, role: Role): boolean {
  return caller.roles.includes(role);
}
