import { approvePolicy, type Approval } from '../catalog/approve.ts';
import { findAccessFaults } from '../catalog/policy-access.ts';
import type { PolicyReading } from '../catalog/policy-parse.ts';
import type { Policy } from '../catalog/policy.ts';
import { stockShelves, type Shelves } from '../catalog/profile-shelves.ts';
import { buildRegistry, type Registry } from '../catalog/registry.ts';
import type { ConfigReading } from '../config.ts';
import { BootError } from '../core/boot-error.ts';
import type { Supplies } from './gather-tools.ts';
import { refsOfRefusals } from './refused-refs.ts';

export interface SettledPolicy {
  readonly policy: Policy;
  readonly registry: Registry;
  readonly approval: Approval;
  readonly shelves: Shelves['shelves'];
  readonly deadEntries: Approval['deadEntries'];
}

/** The policy held against all that was found. Throws a BootError with every fault of every source at once. */
export function settlePolicy(
  { config, faults }: ConfigReading,
  reading: PolicyReading,
  supplies: Supplies,
): SettledPolicy {
  const { policy } = reading;
  const { limits } = policy;
  const registry = buildRegistry(supplies.tools, { ...limits, timeoutMs: limits.builtinTimeoutMs });
  const refused = [...supplies.refused, ...refsOfRefusals(registry.refusals)];
  const tools = registry.tools.map(({ entry: { ref, spec, digest } }) => ({
    ref,
    name: spec.name,
    origin: spec.origin,
    digest,
  }));
  const approval = approvePolicy(policy, { tools, refused });
  const { shelves, ...shelved } = stockShelves(policy, {
    skills: supplies.methodology,
    refused: supplies.refusedMethodology,
  });
  const written = [...faults, ...reading.faults];
  // A broken key or caller would be told a second time as a missing one.
  const together = isAccessKnown(faults, reading) ? findAccessFaults(policy, config) : [];
  const all = [...written, ...together, ...supplies.faults, ...approval.faults, ...shelved.faults];
  const isUnknown = approval.faults.length + shelved.faults.length > 0;
  if (all.length > 0) throw new BootError(all, isUnknown ? sayStatuses(supplies) : []);
  return {
    policy,
    registry,
    approval,
    shelves,
    deadEntries: [...approval.deadEntries, ...shelved.deadEntries],
  };
}

const ACCESS_VARIABLES: ReadonlySet<string> = new Set(['API_KEY', 'API_KEY_FILE', 'HOST']);

/** Whether HOST, the key and the `callers` were read as they are meant. */
function isAccessKnown(environment: ConfigReading['faults'], { policy, faults }: PolicyReading): boolean {
  const isNothingRead = policy.callers.length + policy.profiles.size + policy.packages.size === 0;
  return (
    !environment.some(({ source }) => ACCESS_VARIABLES.has(source) || source.endsWith('.env')) &&
    !faults.some(({ message, remedy }) => /caller/iu.test(message + remedy)) &&
    !(faults.length > 0 && isNothingRead)
  );
}

/** Whoever names something that is not there wants to know what became of the place where it should have been. */
function sayStatuses({ statuses }: Supplies): string[] {
  return statuses.map(({ origin, status }) => `${origin}: ${status}`);
}
