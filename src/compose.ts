import { createBroker, type Broker } from './broker/broker.ts';
import { approvePolicy } from './catalog/approve.ts';
import { buildCatalog } from './catalog/build-catalog.ts';
import type { Catalog } from './catalog/catalog.ts';
import { createIdentify } from './catalog/identify.ts';
import { hasKeys } from './catalog/policy-access.ts';
import type { Policy } from './catalog/policy.ts';
import { buildRegistry } from './catalog/registry.ts';
import { createBuiltins, type Builtins } from './compose/create-builtins.ts';
import type { Log } from './compose/create-log.ts';
import { readPolicy } from './compose/read-policy.ts';
import type { ConfigReading } from './config.ts';
import { BootError } from './core/boot-error.ts';
import { createServer } from './http/create-server.ts';
import type { ReadinessState } from './http/deps.ts';
import type { HttpServer } from './http/http-server.ts';
import { createMemoryArtifacts } from './state/memory/artifacts.ts';

export interface ComposeOptions {
  readonly log: Log;
  readonly version: string;
  /** Opens the operator routes of this start where no keys are configured. */
  readonly operatorKey: string;
}

export interface Service {
  readonly server: HttpServer;
  readonly catalog: Catalog;
  readonly keysConfigured: boolean;
  /** Finishes what runs within the grace of the configuration, stops the rest, and lets everything go. */
  readonly close: () => Promise<void>;
}

/** Joins all parts. Throws a BootError with every fault of the environment and the policy, having started nothing. */
export async function compose(reading: ConfigReading, options: ComposeOptions): Promise<Service> {
  const builtins = createBuiltins();
  try {
    return await assemble(reading, options, builtins);
  } catch (error) {
    await builtins.close();
    throw error;
  }
}

async function assemble(
  { config, faults }: ConfigReading,
  options: ComposeOptions,
  builtins: Builtins,
): Promise<Service> {
  const { policy, faults: policyFaults } = readPolicy(config);
  const { limits } = policy;
  const registry = buildRegistry(builtins.tools, { ...limits, timeoutMs: limits.builtinTimeoutMs });
  const approval = approvePolicy(policy, {
    tools: registry.tools.map(({ entry }) => ({
      ref: entry.ref,
      name: entry.spec.name,
      origin: entry.spec.origin,
    })),
    refused: registry.refusals.flatMap(({ ref, reason }) => (ref === undefined ? [] : [{ ref, reason }])),
  });
  const all = [...faults, ...policyFaults, ...approval.faults];
  if (all.length > 0) throw new BootError(all);

  const { approved, deadEntries } = approval;
  const catalog = buildCatalog({
    registry,
    approved,
    refusals: [],
    deadEntries,
    policyRevision: policy.revision,
  });
  const artifacts = createMemoryArtifacts({
    maxBytes: limits.artifactStoreBytes,
  });
  const broker = createPolicyBroker({ policy, catalog, artifacts, log: options.log });
  let state: ReadinessState = 'ready';
  const keysConfigured = hasKeys(policy, config);
  const server = await createServer({
    settings: {
      version: options.version,
      keysConfigured,
      ...(config.allowedHosts.length > 0 && { allowedHosts: config.allowedHosts }),
      allowedOrigins: config.allowedOrigins,
      maxBodyBytes: config.maxBodyBytes,
      maxUploadBytes: limits.maxArtifactBytes,
      artifactTtlMs: limits.artifactTtlMs,
    },
    identify: createIdentify({ policy, approval, ...config, operatorKey: options.operatorKey }),
    catalog,
    invoke: broker.invoke,
    artifacts,
    readiness: async () => state,
    log: options.log.logger,
  });
  return {
    server,
    catalog,
    keysConfigured,
    close: async () => {
      state = 'draining';
      await Promise.all([server.close(), broker.close(config.shutdownGraceMs)]);
      await builtins.close();
    },
  };
}

function createPolicyBroker({
  policy: { limits },
  catalog,
  artifacts,
  log: { logger },
}: {
  policy: Policy;
  catalog: Catalog;
  artifacts: ReturnType<typeof createMemoryArtifacts>;
  log: Log;
}): Broker {
  return createBroker({
    catalog,
    artifacts,
    audit: (record) => logger.info(record, 'call'),
    log: (message, fields) => logger.info(fields ?? {}, message),
    laneLimits: { maxRunning: limits.maxConcurrentCalls, maxWaiting: limits.maxQueuedCalls },
    inlineBytes: limits.inlineArtifactBytes,
    artifactTtlMs: limits.artifactTtlMs,
  });
}
