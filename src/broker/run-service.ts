import { timingSafeEqual } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Catalog } from '../catalog/catalog.ts';
import { wrongCredential, type Callers } from '../catalog/identify.ts';
import type { Identity } from '../catalog/identity.ts';
import { createRunToken, hashCredential, runIdOf } from '../core/api-key.ts';
import { BrokerError } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { Grant } from '../core/grant.ts';
import { quote } from '../core/quote.ts';
import type { Run, RunUsage } from '../core/run.ts';
import { narrowShelf } from '../core/shelf.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { settleRunLimits, type RunCeilings, type RunRequest } from './run-request.ts';
import type { RunBudgets, RunStore } from './run-store.ts';
import { chooseRunTools } from './run-tools.ts';

export interface RunServiceParts {
  readonly runs: RunStore & RunBudgets;
  readonly artifacts: ArtifactStore;
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly ceilings: RunCeilings;
}

export interface StartedRun {
  readonly run: Run;
  /** Shown this once; only its hash is kept. */
  readonly token: string;
  readonly ignored: readonly string[];
}

export interface RunService {
  /** Throws INVALID_INPUT for limits above the policy's, FORBIDDEN for a run's own token, OVERLOADED when there is no room. */
  start(identity: Identity, request: RunRequest): Promise<StartedRun>;
  /** Who holds this token. Throws the UNAUTHENTICATED of any wrong credential. */
  identify(token: string): Promise<Identity>;
  /** A run of this caller, or of this token. Throws NOT_FOUND, the same for unknown, over and foreign. */
  find(caller: Caller, id: string): Promise<{ readonly run: Run; readonly usage: RunUsage }>;
  /** Ends it: its calls are stopped at their next heartbeat and its files are let go. Throws NOT_FOUND as above. */
  end(caller: Caller, id: string): Promise<void>;
}

/** An identity is the same object for the life of a run, so that what it may list is worked out once. */
const MAX_CACHED_IDENTITIES = 10_000;

export function createRunService(parts: RunServiceParts): RunService {
  const identities = new LRUCache<string, Identity>({ max: MAX_CACHED_IDENTITIES });
  const find = async (caller: Caller, id: string): Promise<{ run: Run; usage: RunUsage }> => {
    const [run, usage] = await Promise.all([parts.runs.find(id), parts.runs.usage(id)]);
    const visible =
      run !== undefined && run.owner === caller.name && (caller.run === undefined || caller.run.id === id);
    if (!visible || usage === undefined) throw noRun(id);
    return { run, usage };
  };
  return {
    start: async (identity, request) => startRun(parts, identity, request),
    identify: async (token) => {
      const run = await authenticate(parts.runs, token);
      const known = identities.get(run.id) ?? toIdentity(run, parts);
      identities.set(run.id, known);
      return known;
    },
    find,
    end: async (caller, id) => {
      const { run } = await find(caller, id);
      if (!(await parts.runs.end(id))) throw noRun(id);
      identities.delete(id);
      await parts.artifacts.drop({ caller: run.owner, run: run.id });
    },
  };
}

async function startRun(
  parts: RunServiceParts,
  identity: Identity,
  request: RunRequest,
): Promise<StartedRun> {
  const { caller } = identity;
  if (caller.run !== undefined) {
    const resolution = 'Start it with an API key, or use the run that this token belongs to.';
    throw new BrokerError('FORBIDDEN', 'A run token cannot start another run.', { resolution });
  }
  const grant = narrowByProfile(identity.grant, request.profile, parts.callers);
  const { limits, ttlMs } = settleRunLimits(request, parts.ceilings);
  const { tools, ignored } = chooseRunTools(parts.catalog, grant, request.tools);
  const skills = (grant.shelf?.list() ?? []).map((skill) => skill.name);
  const { runId, token } = createRunToken();
  const profile = request.profile === undefined ? {} : { profile: request.profile };
  const labels = request.labels ?? {};
  const tokenSha256 = hashCredential(token);
  const run = await parts.runs.start(
    { id: runId, owner: caller.name, tokenSha256, ...profile, tools, skills, limits, labels },
    ttlMs,
  );
  return { run, token, ignored };
}

function narrowByProfile(grant: Grant, profile: string | undefined, callers: Callers): Grant {
  if (profile === undefined) return grant;
  const narrowed = callers.narrow(grant, profile);
  if (narrowed !== undefined) return narrowed;
  throw new BrokerError('INVALID_INPUT', `There is no profile ${quote(profile)}.`, {
    resolution: 'Name a profile of the policy, or leave it out.',
    details: [{ path: '/profile', message: 'is not known' }],
  });
}

/** The same work whether the run is unknown or the secret is wrong. */
async function authenticate(runs: RunStore, token: string): Promise<Run> {
  const id = runIdOf(token);
  const run = id === undefined ? undefined : await runs.find(id);
  const expected = Buffer.from(run?.tokenSha256 ?? '0'.repeat(64), 'hex');
  const matches = timingSafeEqual(expected, Buffer.from(hashCredential(token), 'hex'));
  if (run === undefined || !matches) throw wrongCredential();
  return run;
}

/** What the run was started with, as far as its owner still has it: a policy that changed since can only take away. */
function toIdentity(run: Run, { callers }: RunServiceParts): Identity {
  const owner = callers.named(run.owner);
  if (owner === undefined) throw wrongCredential();
  const { rateLimit } = owner.caller;
  const base = run.profile === undefined ? owner.grant : callers.narrow(owner.grant, run.profile);
  if (base === undefined) throw wrongCredential();
  const grant: Grant = {
    ...base,
    run: new Set(run.tools),
    ...(base.shelf && { shelf: narrowShelf(base.shelf, run.skills) }),
  };
  const caller: Caller = { name: run.owner, roles: ['runner'], run, ...(rateLimit && { rateLimit }) };
  return Object.freeze({ caller: Object.freeze(caller), grant: Object.freeze(grant) });
}

function noRun(id: string): BrokerError {
  return new BrokerError('NOT_FOUND', `There is no run ${quote(id)} for you.`, {
    resolution: 'Use the run_id that POST /v1/runs gave you; a run that has ended or expired is gone.',
  });
}
