import { fileURLToPath } from 'node:url';

import type { Refusal } from '../catalog/entry.ts';
import type { Policy } from '../catalog/policy.ts';
import type { ConfigReading } from '../config.ts';
import type { BootFault } from '../core/boot-error.ts';
import type { MethodologySkill } from '../core/shelf.ts';
import type { Tool } from '../core/tool.ts';
import { loadSkills, type LoadedSkills } from '../skills/load-skills.ts';
import { createBuiltins } from './create-builtins.ts';
import type { Log } from './create-log.ts';
import { createPackages, type Packages } from './create-packages.ts';
import {
  namesOfUnknownSkills,
  refsOfRefusals,
  refsOfUnbuilt,
  refsOfUnknownSkills,
  type RefusedRef,
} from './refused-refs.ts';

/** All that the suppliers brought. */
export interface Supplies {
  readonly tools: readonly Tool[];
  readonly methodology: readonly MethodologySkill[];
  readonly refusals: readonly Refusal[];
  /** Refs that the policy may name although there is no such tool now; and why. */
  readonly refused: readonly RefusedRef[];
  /** The same for methodology skills and the profiles that name them. */
  readonly refusedMethodology: LoadedSkills['refusedMethodology'];
  /** One sentence for each repository. */
  readonly statuses: readonly { readonly origin: string; readonly status: string }[];
  /** Things worth knowing about what was loaded all the same. */
  readonly findings: LoadedSkills['findings'];
  readonly faults: readonly BootFault[];
  /** Starts what may wait for its first call. */
  readonly warmUp: Packages['warmUp'];
  readonly close: () => Promise<void>;
}

/** Found from dist/ and from src/ alike. */
const SHIPPED_SKILLS = fileURLToPath(new URL('../../skills', import.meta.url));

/** Everything is read here, once: nothing later looks at these directories. */
export async function gatherTools(reading: ConfigReading, policy: Policy, log: Log): Promise<Supplies> {
  const { config } = reading;
  const builtins = createBuiltins();
  const options = {
    shippedRoot: SHIPPED_SKILLS,
    directories: config.skillsDirs,
    typesetter: builtins.typesetter,
  };
  const skills = loadSkills(options);
  const packages = await createPackages(reading, policy, log);
  const tools = [...builtins.tools, ...skills.tools, ...packages.tools];
  const unknown = refsOfUnknown(policy, skills, tools);
  return {
    tools,
    methodology: skills.methodology,
    refusals: [...skills.refusals, ...packages.refusals],
    refused: [
      ...unknown.refs,
      ...refsOfPins(skills),
      ...refsOfRefusals(packages.refusals),
      ...refsOfUnbuilt(policy, packages.unbuilt),
    ],
    refusedMethodology: [...skills.refusedMethodology, ...unknown.methodology],
    statuses: [...skills.statuses, ...packages.statuses],
    findings: skills.findings,
    faults: [...skills.faults, ...packages.faults],
    warmUp: packages.warmUp,
    close: async () => {
      await Promise.all([builtins.close(), packages.close()]);
    },
  };
}

/** Skills that the pins name and that are not there. */
function refsOfPins(skills: LoadedSkills): RefusedRef[] {
  const present = new Set(skills.tools.map((tool) => `${tool.spec.name}@${tool.spec.version}`));
  const reasons = new Map(
    skills.refusals.flatMap(({ ref, reason }) => (ref === undefined ? [] : [[ref, reason]])),
  );
  return skills.pinnedRefs
    .filter((ref) => !present.has(ref))
    .map((ref) => ({ ref, reason: reasons.get(ref) ?? 'Its repository was refused.' }));
}

interface Unknown {
  readonly refs: readonly RefusedRef[];
  readonly methodology: LoadedSkills['refusedMethodology'];
}

function refsOfUnknown(policy: Policy, { shippedUnknown }: LoadedSkills, tools: readonly Tool[]): Unknown {
  if (shippedUnknown === undefined) return { refs: [], methodology: [] };
  const presentNames = new Set(tools.map(({ spec }) => spec.name));
  return {
    refs: refsOfUnknownSkills(policy, { presentNames, reason: shippedUnknown }),
    methodology: namesOfUnknownSkills(policy, shippedUnknown),
  };
}
