export type Role = 'runner' | 'operator';

/** Who holds the credential that was presented. */
export interface Caller {
  /** Unique; stands in audit lines and owns artifacts. `anonymous` when no keys are configured. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The profile that narrows this caller; absent: the policy's default profile, if it has one. */
  readonly profile?: string;
}

export function hasRole(caller: Caller, role: Role): boolean {
  return caller.roles.includes(role);
}
