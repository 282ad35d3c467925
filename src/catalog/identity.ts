import type { Caller } from '../core/caller.ts';
import type { Grant } from '../core/grant.ts';

/** Who is calling and what that allows, settled before anything else looks at a request. */
export interface Identity {
  readonly caller: Caller;
  readonly grant: Grant;
}

/**
 * From the bearer credential (undefined: none was presented) to an identity.
 * Only a run's token has to be waited for. Throws or rejects with UNAUTHENTICATED when one is needed and missing, or presented and wrong, with the same work for each.
 */
export type Identify = (bearer: string | undefined) => Identity | Promise<Identity>;
