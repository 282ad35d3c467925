import { setTimeout } from 'node:timers/promises';

import { createExplainCall } from './broker/explain-call.ts';
import { createRunService } from './broker/run-service.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { Log } from './compose/create-log.ts';
import { createPolicyBroker, runCeilings } from './compose/create-policy-broker.ts';
import { openStores, type OpenStores } from './compose/create-stores.ts';
import { logRefusals } from './compose/log-refusals.ts';
import { openCatalog, type OpenCatalog } from './compose/open-catalog.ts';
import type { Config, ConfigReading } from './config.ts';
import { runIdOf } from './core/api-key.ts';
import { createServer } from './http/create-server.ts';
import type { HttpSettings, ReadinessState } from './http/deps.ts';
import type { HttpServer } from './http/http-server.ts';

export interface ComposeOptions {
  readonly log: Log;
  readonly version: string;
  /** Opens the operator routes of this start where no keys are configured. */
  readonly operatorKey: string;
  /** How long closing answers calls as before while /readyz sends new ones elsewhere. Default: not at all. */
  readonly drainMs?: number;
  /** Says what the start waits for. Absent: nobody is told. */
  readonly tell?: (line: string) => void;
}

export interface Service {
  readonly server: HttpServer;
  readonly catalog: Catalog;
  readonly keysConfigured: boolean;
  /** Finishes what runs within the grace of the configuration, stops the rest, and lets everything go. */
  readonly close: () => Promise<void>;
}

/**
 * Joins all parts. Throws a BootError with every fault of the environment, the policy and the skills. Waits for the
 * shared store, where there is one.
 */
export async function compose(reading: ConfigReading, options: ComposeOptions): Promise<Service> {
  const opened = await openCatalog(reading, options);
  try {
    const { config } = reading;
    const stores = openStores(opened.policy.limits, config.state, options.log);
    await stores.opened(options.tell ?? (() => {}));
    logRefusals(opened.catalog, { policySource: opened.policy.source, log: options.log });
    void opened.warmUp();
    return assemble(opened, { ...options, config, stores });
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function assemble(
  opened: OpenCatalog,
  options: ComposeOptions & { readonly config: Config; readonly stores: OpenStores },
): Service {
  const { config, stores } = options;
  const { policy, catalog, callers, keysConfigured } = opened;
  const broker = createPolicyBroker({ limits: policy.limits, catalog, stores, log: options.log });
  const runs = createRunService({ ...stores, catalog, callers, ceilings: runCeilings(policy.limits) });
  let state: ReadinessState = 'ready';
  const server = createServer({
    settings: toHttpSettings(opened, config, options.version),
    identify: (bearer) =>
      bearer !== undefined && runIdOf(bearer) !== undefined
        ? runs.identify(bearer)
        : callers.identify(bearer),
    runs,
    explain: createExplainCall({ explain: opened.explain, callers, runs }),
    catalog,
    invoke: async (request) => broker.invoke(request),
    artifacts: stores.artifacts,
    readiness: async () => (state === 'ready' && !(await stores.works()) ? 'store_lost' : state),
    log: options.log.logger,
  });
  return {
    server,
    catalog,
    keysConfigured,
    close: async () => {
      state = 'draining';
      const drainMs = Math.min(options.drainMs ?? 0, config.shutdownGraceMs);
      if (drainMs > 0) await setTimeout(drainMs);
      await Promise.all([server.close(), broker.close(config.shutdownGraceMs - drainMs)]);
      await opened.close();
      stores.close();
    },
  };
}

function toHttpSettings(
  { policy: { limits }, keysConfigured }: OpenCatalog,
  config: Config,
  version: string,
): HttpSettings {
  return {
    version,
    keysConfigured,
    ...(config.allowedHosts.length > 0 && { allowedHosts: config.allowedHosts }),
    allowedOrigins: config.allowedOrigins,
    maxBodyBytes: config.maxBodyBytes,
    maxUploadBytes: limits.maxArtifactBytes,
    artifactTtlMs: limits.artifactTtlMs,
  };
}
