import { LRUCache } from 'lru-cache';

import type { Catalog } from '../catalog/catalog.ts';
import { wrongCredential, type Callers } from '../catalog/identify.ts';
import type { Identity } from '../catalog/identity.ts';
import { BrokerError } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import type { Run, RunUsage } from '../core/run.ts';
import type { ArtifactStore } from './artifact-store.ts';
import { chargeFile } from './charge-file.ts';
import { authenticateRun, toRunIdentity } from './run-identity.ts';
import type { RunCeilings } from './run-request.ts';
import type { RunBudgets, RunStore } from './run-store.ts';
import { startRun, type StartedRun } from './start-run.ts';

export interface RunServiceParts {
  readonly runs: RunStore & RunBudgets;
  readonly artifacts: ArtifactStore;
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly ceilings: RunCeilings;
}

export interface RunState {
  readonly run: Run;
  readonly usage: RunUsage;
}

export interface RunService {
  /**
   * Starts a run from the body of `POST /v1/runs`. Throws INVALID_INPUT with every fault, FORBIDDEN for a run's own
   * token, OVERLOADED when there is no room.
   */
  start(identity: Identity, body: JsonObject): Promise<StartedRun>;
  /** Who holds this token. Throws the UNAUTHENTICATED of any wrong credential. */
  identify(token: string): Promise<Identity>;
  /** A run of this caller, or of this token. Throws NOT_FOUND, the same for unknown, over and foreign. */
  find(caller: Caller, id: string): Promise<RunState>;
  /** Ends it: its calls are stopped at their next heartbeat and its files are let go. Throws NOT_FOUND as above. */
  end(caller: Caller, id: string): Promise<void>;
  /** Counts a file that a run puts in. Throws QUOTA_EXCEEDED, and UNAUTHENTICATED where the run is over. */
  chargeFile(run: Run, sizeBytes: number): Promise<void>;
  /** For operators: whosever it is. Undefined for unknown and over; `identity` where its owner is no longer there. */
  inspect(id: string): Promise<(RunState & { readonly identity: Identity | undefined }) | undefined>;
  readonly ceilings: RunCeilings;
}

/** An identity is the same object for the life of a run, so that what it may list is worked out once. */
const MAX_CACHED_IDENTITIES = 10_000;

export function createRunService(parts: RunServiceParts): RunService {
  const { runs, callers, ceilings } = parts;
  const identities = new LRUCache<string, Identity>({ max: MAX_CACHED_IDENTITIES });
  const look = async (id: string): Promise<RunState | undefined> => {
    const [run, usage] = await Promise.all([runs.find(id), runs.usage(id)]);
    return run === undefined || usage === undefined ? undefined : { run, usage };
  };
  const find = async (caller: Caller, id: string): Promise<RunState> => {
    const state = await look(id);
    if (state === undefined || !maySee(caller, state.run)) throw noRun(id);
    return state;
  };
  return {
    ceilings,
    start: async (identity, body) => startRun(parts, identity, body),
    identify: async (token) => {
      const run = await authenticateRun(runs, token);
      // Its owner's key may have expired since.
      const isOwned = callers.named(run.owner) !== undefined;
      const known = isOwned ? (identities.get(run.id) ?? toRunIdentity(run, callers)) : undefined;
      if (known === undefined) throw wrongCredential();
      identities.set(run.id, known);
      return known;
    },
    find,
    end: async (caller, id) => {
      const { run } = await find(caller, id);
      if (!(await runs.end(id))) throw noRun(id);
      identities.delete(id);
      await parts.artifacts.drop({ caller: run.owner, run: run.id });
    },
    chargeFile: async (run, sizeBytes) => chargeFile(runs, run, sizeBytes),
    inspect: async (id) => {
      const state = await look(id);
      return state && { ...state, identity: toRunIdentity(state.run, callers) };
    },
  };
}

function maySee(caller: Caller, run: Run): boolean {
  return run.owner === caller.name && (caller.run === undefined || caller.run.id === run.id);
}

function noRun(id: string): BrokerError {
  return new BrokerError('NOT_FOUND', `There is no run ${quote(id)} for you.`, {
    resolution: 'Use the run_id that POST /v1/runs gave you; a run that has ended or expired is gone.',
  });
}
