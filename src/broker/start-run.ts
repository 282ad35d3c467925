import type { Callers } from '../catalog/identify.ts';
import type { Identity } from '../catalog/identity.ts';
import { createRunToken, hashCredential } from '../core/api-key.ts';
import { BrokerError } from '../core/broker-error.ts';
import type { Grant } from '../core/grant.ts';
import type { JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import type { Run } from '../core/run.ts';
import { nameToolBudgets } from './run-limits.ts';
import { readRunRequest } from './run-request.ts';
import type { RunServiceParts } from './run-service.ts';
import { chooseRunTools } from './run-tools.ts';

export interface StartedRun {
  readonly run: Run;
  /** Shown this once; only its hash is kept. */
  readonly token: string;
  readonly ignored: readonly string[];
}

/** `body` is that of `POST /v1/runs`. */
export async function startRun(
  parts: RunServiceParts,
  { caller, grant: given }: Identity,
  body: JsonObject,
): Promise<StartedRun> {
  if (caller.run !== undefined) throw noRunInRun();
  const request = readRunRequest(body, parts.ceilings);
  const { profile, labels, ttlMs } = request;
  const grant = narrowByProfile(given, profile, parts.callers);
  const { tools, ignored } = chooseRunTools(parts.catalog, grant, request.tools);
  const limits = nameToolBudgets(request.limits, tools, parts.catalog.resolve);
  const skills = (grant.shelf?.list() ?? []).map((skill) => skill.name);
  const { runId, token } = createRunToken();
  const run = await parts.runs.start(
    {
      id: runId,
      owner: caller.name,
      tokenSha256: hashCredential(token),
      ...(profile !== undefined && { profile }),
      tools,
      skills,
      limits,
      labels,
    },
    ttlMs,
  );
  return { run, token, ignored };
}

function noRunInRun(): BrokerError {
  return new BrokerError('FORBIDDEN', 'A run token cannot start another run.', {
    resolution: 'Start it with an API key, or use the run that this token belongs to.',
  });
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
