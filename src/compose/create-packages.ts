import type { Refusal } from '../catalog/entry.ts';
import type { Policy } from '../catalog/policy.ts';
import type { ConfigReading } from '../config.ts';
import type { BootFault } from '../core/boot-error.ts';
import { formatRef } from '../core/ref.ts';
import type { Tool } from '../core/tool.ts';
import type { DiscoveredCommand, DiscoveredPackage } from '../packages/discovered-package.ts';
import { createCommandTool, warmUpCommand, type CommandToolParts } from '../packages/run/command-tool.ts';
import { detectIsolation } from '../packages/run/detect-isolation.ts';
import type { Isolation } from '../packages/run/isolation.ts';
import { createRunner } from '../packages/run/runner.ts';
import { createWarmPool } from '../packages/run/warm-pool.ts';
import { sharedWorkRoot } from '../packages/run/work-root.ts';
import type { Log } from './create-log.ts';
import { discoverAll } from './discover-all.ts';
import { capPackage, findGrantFaults, grantPackage } from './grant-packages.ts';
import type { UnbuiltPackages } from './refused-refs.ts';
import { sortByIsolation } from './sort-by-isolation.ts';

export interface Packages {
  readonly tools: readonly Tool[];
  readonly refusals: readonly Refusal[];
  readonly statuses: readonly { readonly origin: string; readonly status: string }[];
  readonly faults: readonly BootFault[];
  /** Shipped and not built here. */
  readonly unbuilt: UnbuiltPackages;
  /** Starts the processes that wait for the first call of what is approved. */
  readonly warmUp: (approved: ReadonlySet<string>) => Promise<void>;
  readonly close: () => Promise<void>;
}

const NO_PACKAGES: Packages = {
  tools: [],
  refusals: [],
  statuses: [],
  faults: [],
  unbuilt: new Map(),
  warmUp: async () => {},
  close: async () => {},
};

const WARM_LIFE_MS = 10 * 60_000;

/** The prebuilt packages as tools. Nothing is run here but the trial of what this machine can isolate. */
export async function createPackages(reading: ConfigReading, policy: Policy, log: Log): Promise<Packages> {
  const found = await discoverAll(reading.config);
  const { unbuilt } = found;
  const faults = [...found.faults, ...findGrantFaults(policy, found, reading)];
  if (found.packages.length === 0) return { ...NO_PACKAGES, refusals: found.refusals, faults, unbuilt };
  const isolation = await detectIsolation();
  const { usable, refusals } = sortByIsolation(found, isolation, policy);
  const running = await runPackages(usable, { isolation, policy, reading, log });
  return {
    ...running,
    refusals: [...found.refusals, ...refusals],
    statuses: [{ origin: 'packages', status: isolation.detail }],
    faults,
    unbuilt,
  };
}

interface RunParts {
  readonly isolation: Isolation;
  readonly policy: Policy;
  readonly reading: ConfigReading;
  readonly log: Log;
}

async function runPackages(
  packages: readonly DiscoveredPackage[],
  { isolation, policy, reading, log: { logger } }: RunParts,
): Promise<Pick<Packages, 'tools' | 'warmUp' | 'close'>> {
  const { limits } = policy;
  const runner = await createRunner({
    isolation,
    workRoot: sharedWorkRoot(),
    log: (message, fields) => logger.info(fields ?? {}, message),
    limits: { workDirBytes: limits.packageWorkDirBytes },
  });
  const warmPool = createWarmPool({ runner, maxWaiting: limits.maxWarmProcesses, maxWaitMs: WARM_LIFE_MS });
  const commands = packages.flatMap((pkg) => {
    const parts: CommandToolParts = {
      runner,
      warmPool,
      grant: grantPackage(pkg, policy, reading),
      limits: { workDirBytes: limits.packageWorkDirBytes },
      maxArtifactBytes: limits.maxArtifactBytes,
    };
    const capped = capPackage(pkg, policy);
    return capped.commands.map((command) => ({ pkg: capped, command, parts }));
  });
  return {
    tools: commands.map(({ pkg, command, parts }) => createCommandTool(pkg, command, parts)),
    warmUp: async (approved) =>
      warmUpAll(commands.filter(({ command }) => approved.has(formatRef(command.spec)))),
    close: async () => {
      await warmPool.close();
      await runner.close();
    },
  };
}

async function warmUpAll(
  commands: readonly { pkg: DiscoveredPackage; command: DiscoveredCommand; parts: CommandToolParts }[],
): Promise<void> {
  await Promise.all(commands.map(async ({ pkg, command, parts }) => warmUpCommand(pkg, command, parts)));
}
