import { buildCatalog } from '../catalog/build-catalog.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { createExplain, type Explain } from '../catalog/explain.ts';
import { createCallers, type Callers } from '../catalog/identify.ts';
import { readPolicyFile } from '../catalog/policy-file.ts';
import { hasKeys } from '../catalog/policy-access.ts';
import type { Policy } from '../catalog/policy.ts';
import type { ConfigReading } from '../config.ts';
import type { Log } from './create-log.ts';
import { gatherTools, type Supplies } from './gather-tools.ts';
import { settlePolicy, type SettledPolicy } from './settle-policy.ts';

/** What can be called and by whom: all that a start settles before there is a server. */
export interface OpenCatalog {
  readonly policy: Policy;
  readonly catalog: Catalog;
  readonly callers: Callers;
  readonly explain: Explain;
  readonly keysConfigured: boolean;
  /** Starts the processes that wait for the first call of what is approved. */
  readonly warmUp: () => Promise<void>;
  /** Lets go of worker threads and processes. */
  readonly close: () => Promise<void>;
}

/** Throws a BootError with every fault of the environment, the policy, the skills and the packages. */
export async function openCatalog(
  reading: ConfigReading,
  { log, operatorKey }: { readonly log: Log; readonly operatorKey?: string },
): Promise<OpenCatalog> {
  const { config } = reading;
  const { policyFile: path, approve } = config;
  const written = readPolicyFile({ path, ...(approve && { approve }) });
  const supplies = await gatherTools(reading, written.policy, log);
  try {
    const settled = settlePolicy(reading, written, supplies);
    const { policy, approval, shelves } = settled;
    const catalog = joinCatalog(settled, supplies);
    const { apiKeySha256 } = config;
    const keys = {
      ...(apiKeySha256 !== undefined && { apiKeySha256 }),
      ...(operatorKey !== undefined && { operatorKey }),
    };
    return {
      policy,
      catalog,
      callers: createCallers({ policy, approval, shelves, ...keys }),
      explain: createExplain({ catalog, policy, approval }),
      keysConfigured: hasKeys(policy, config),
      warmUp: async () => supplies.warmUp(approval.approved),
      close: supplies.close,
    };
  } catch (error) {
    await supplies.close();
    throw error;
  }
}

function joinCatalog(settled: SettledPolicy, supplies: Supplies): Catalog {
  const { policy, approval, registry, deadEntries } = settled;
  const { refusals, findings, statuses } = supplies;
  return buildCatalog({
    registry,
    approved: approval.approved,
    refusals,
    findings,
    statuses,
    deadEntries,
    approveEntries: policy.approve.map(({ text }) => text),
    policyRevision: policy.revision,
  });
}
