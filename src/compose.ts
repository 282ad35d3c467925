import { createExplainCall } from './broker/explain-call.ts';
import { createRunService } from './broker/run-service.ts';
import { buildCatalog } from './catalog/build-catalog.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createExplain } from './catalog/explain.ts';
import { createCallers } from './catalog/identify.ts';
import { readPolicyFile } from './catalog/policy-file.ts';
import { hasKeys } from './catalog/policy-access.ts';
import type { Log } from './compose/create-log.ts';
import { createPolicyBroker, runCeilings } from './compose/create-policy-broker.ts';
import { openStores, type OpenStores } from './compose/create-stores.ts';
import { gatherTools, type Supplies } from './compose/gather-tools.ts';
import { settlePolicy, type SettledPolicy } from './compose/settle-policy.ts';
import type { Config, ConfigReading } from './config.ts';
import { runIdOf } from './core/api-key.ts';
import { createServer } from './http/create-server.ts';
import type { ReadinessState } from './http/deps.ts';
import type { HttpServer } from './http/http-server.ts';

export interface ComposeOptions {
  readonly log: Log;
  readonly version: string;
  /** Opens the operator routes of this start where no keys are configured. */
  readonly operatorKey: string;
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
  const { policyFile: path, approve } = reading.config;
  const written = readPolicyFile({ path, ...(approve && { approve }) });
  const supplies = await gatherTools(reading, written.policy, options.log);
  try {
    const settled = settlePolicy(reading, written, supplies);
    const { config } = reading;
    const stores = openStores(settled.policy.limits, config.state, options.log);
    await stores.opened(options.tell ?? (() => {}));
    void supplies.warmUp(settled.approval.approved);
    return assemble(settled, { ...options, config, stores }, supplies);
  } catch (error) {
    await supplies.close();
    throw error;
  }
}

function assemble(
  { policy, registry, approval, shelves, deadEntries }: SettledPolicy,
  options: ComposeOptions & { readonly config: Config; readonly stores: OpenStores },
  supplies: Supplies,
): Service {
  const { config, stores } = options;
  const { approved } = approval;
  const { refusals, findings, statuses } = supplies;
  const catalog = buildCatalog({
    registry,
    approved,
    refusals,
    findings,
    statuses,
    deadEntries,
    approveEntries: policy.approve.map(({ text }) => text),
    policyRevision: policy.revision,
  });
  const broker = createPolicyBroker({ limits: policy.limits, catalog, stores, log: options.log });
  const keysConfigured = hasKeys(policy, config);
  const callers = createCallers({ policy, approval, shelves, ...config, operatorKey: options.operatorKey });
  const runs = createRunService({ ...stores, catalog, callers, ceilings: runCeilings(policy.limits) });
  let state: ReadinessState = 'ready';
  const server = createServer({
    settings: {
      version: options.version,
      keysConfigured,
      ...(config.allowedHosts.length > 0 && { allowedHosts: config.allowedHosts }),
      allowedOrigins: config.allowedOrigins,
      maxBodyBytes: config.maxBodyBytes,
      maxUploadBytes: policy.limits.maxArtifactBytes,
      artifactTtlMs: policy.limits.artifactTtlMs,
    },
    identify: (bearer) =>
      bearer !== undefined && runIdOf(bearer) !== undefined
        ? runs.identify(bearer)
        : callers.identify(bearer),
    runs,
    explain: createExplainCall({ explain: createExplain({ catalog, policy, approval }), callers, runs }),
    catalog,
    invoke: broker.invoke,
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
      await Promise.all([server.close(), broker.close(config.shutdownGraceMs)]);
      await supplies.close();
      stores.close();
    },
  };
}
