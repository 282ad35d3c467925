import type { FastifyReply, FastifyRequest } from 'fastify';

import { viewRun } from '../broker/quota.ts';
import type { RunService } from '../broker/run-service.ts';
import { BrokerError } from '../core/broker-error.ts';
import type { Caller } from '../core/caller.ts';
import type { QuotaView } from '../core/quota-view.ts';
import { quotaHeaders } from './quota-headers.ts';

type RouteErrorHandler = (error: Error, request: FastifyRequest, reply: FastifyReply) => Promise<never>;

/**
 * An error handler for a route: a request that was refused before it came to the broker says how its run stands too.
 * The error itself goes on to the handler of the service.
 */
export function addRunQuota(runs: Pick<RunService, 'find'>): RouteErrorHandler {
  return async (error, { identity }, reply) => {
    const isKnown = error instanceof BrokerError && error.facts.quotas !== undefined;
    if (!isKnown && identity?.caller.run !== undefined) {
      reply.headers(quotaHeaders(await quotasOf(identity.caller, runs)));
    }
    throw error;
  };
}

/** Empty where the run has ended meanwhile or the store is lost: the error to tell is another one. */
async function quotasOf(caller: Caller, runs: Pick<RunService, 'find'>): Promise<readonly QuotaView[]> {
  try {
    const { run, usage } = await runs.find(caller, caller.run?.id ?? '');
    return [viewRun(run, usage)];
  } catch {
    return [];
  }
}
