import { timingSafeEqual } from 'node:crypto';

import { wrongCredential, type Callers } from '../catalog/identify.ts';
import type { Identity } from '../catalog/identity.ts';
import { hashCredential, runIdOf } from '../core/api-key.ts';
import type { Caller } from '../core/caller.ts';
import type { Grant } from '../core/grant.ts';
import type { Run } from '../core/run.ts';
import { narrowShelf } from '../core/shelf.ts';
import type { RunStore } from './run-store.ts';

/** The run of a token. The same work and the same UNAUTHENTICATED whether the run is unknown or the secret is wrong. */
export async function authenticateRun(runs: RunStore, token: string): Promise<Run> {
  const id = runIdOf(token);
  const run = id === undefined ? undefined : await runs.find(id);
  const expected = Buffer.from(run?.tokenSha256 ?? '0'.repeat(64), 'hex');
  const matches = timingSafeEqual(expected, Buffer.from(hashCredential(token), 'hex'));
  if (run === undefined || !matches) throw wrongCredential();
  return run;
}

/**
 * What the run was started with, as far as its owner still has it: a policy that changed since can only take away.
 * Undefined when its owner or its profile is no longer there.
 */
export function toRunIdentity(run: Run, callers: Callers): Identity | undefined {
  const owner = callers.named(run.owner);
  if (owner === undefined) return undefined;
  const { rateLimit } = owner.caller;
  const base = run.profile === undefined ? owner.grant : callers.narrow(owner.grant, run.profile);
  if (base === undefined) return undefined;
  const grant: Grant = {
    ...base,
    run: new Set(run.tools),
    ...(base.shelf && { shelf: narrowShelf(base.shelf, run.skills) }),
  };
  const caller: Caller = { name: run.owner, roles: ['runner'], run, ...(rateLimit && { rateLimit }) };
  return Object.freeze({ caller: Object.freeze(caller), grant: Object.freeze(grant) });
}
