import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import type { Approval } from './approve.ts';
import type { Catalog, KnownTool } from './catalog.ts';
import { decide, type DecisionReason } from './decide.ts';
import type { CatalogEntry, Refusal } from './entry.ts';
import type { Identity } from './identity.ts';
import type { Policy, PolicyPlace } from './policy.ts';

/** Why a tool can or cannot be called. For operators alone: a caller that is refused learns nothing of this. */
export interface Explanation {
  readonly reason: DecisionReason | 'unknown' | 'refused_at_boot';
  /** Absent where the text leads to no tool. */
  readonly entry?: CatalogEntry;
  /** One sentence. */
  readonly detail: string;
  /** What in the policy decided it; absent where nothing there did. */
  readonly place?: PolicyPlace;
}

export type Explain = (ref: string, who: Identity) => Explanation;

export interface ExplainParts {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly approval: Pick<Approval, 'approvedBy' | 'profiles'>;
}

/** Asks `decide`, the one gate, and puts its reason into words. */
export function createExplain(parts: ExplainParts): Explain {
  return (ref, who) => {
    const entry = findTool(parts.catalog, ref);
    if (entry === undefined) return explainAbsence(parts.catalog, ref);
    const { reason } = decide(entry.spec, who.grant);
    return { reason, entry, ...SAY[reason](entry.ref, who, parts) };
  };
}

/** The approved tool that a caller would reach, else any that is known under this text. */
function findTool(catalog: Catalog, ref: string): CatalogEntry | undefined {
  return catalog.resolve(ref) ?? catalog.known.find((tool) => waysToWrite(tool).includes(ref))?.entry;
}

function waysToWrite({ entry: { ref, spec } }: KnownTool): string[] {
  const [kind, source] = spec.origin.split(':', 2);
  const plain = [ref, spec.name];
  return kind === 'package' ? [...plain, ...plain.map((text) => `${source}:${text}`)] : plain;
}

function explainAbsence({ refusals, deadEntries, known }: Catalog, ref: string): Explanation {
  const refused = refusals.find((refusal) => isAbout(refusal, ref));
  if (refused !== undefined) {
    return {
      reason: 'refused_at_boot',
      detail: `It was refused at boot: ${refused.source}: ${refused.reason}`,
    };
  }
  const dead = deadEntries.find(({ entry }) => entry === ref);
  if (dead !== undefined)
    return { reason: 'refused_at_boot', detail: `It was refused at boot: ${dead.reason}` };
  const names = [...new Set(known.flatMap(({ entry }) => [entry.ref, entry.spec.name]))];
  const nearest = nearestNames(ref, names, 3);
  const hint = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(' or ')}?`;
  return { reason: 'unknown', detail: `There is no tool ${quote(ref)}.${hint}` };
}

function isAbout(refusal: Refusal, ref: string): boolean {
  if (refusal.ref === undefined) return false;
  const bare = ref.slice(ref.lastIndexOf(':') + 1);
  return [ref, bare].some((text) => refusal.ref === text || refusal.ref?.split('@', 1)[0] === text);
}

type Say = (ref: string, who: Identity, parts: ExplainParts) => Pick<Explanation, 'detail' | 'place'>;

const SAY: Readonly<Record<DecisionReason, Say>> = {
  allowed: (ref, { caller }, { approval }) => {
    const entry = approval.approvedBy.get(ref);
    return {
      detail: `${caller.name} may call ${ref}: it is approved, and nothing narrows it away.`,
      ...(entry && { place: entry.place }),
    };
  },
  not_approved: (ref, _who, { policy }) => ({
    detail: `${ref} is known, and no entry of \`approve\` names it.`,
    place: policy.placeOf('/approve'),
  }),
  not_for_caller: (ref, { caller }, { policy }) => {
    const index = policy.callers.findIndex(({ name }) => name === caller.name);
    return {
      detail: `${ref} is approved, and the caller ${caller.name} has an \`approve\` of its own without it.`,
      place: policy.placeOf(`/callers/${index}/approve`),
    };
  },
  not_in_profile: (ref, who, { policy, approval }) => {
    const name = profilesOf(who, policy).find(
      (profile) => approval.profiles.get(profile)?.has(ref) === false,
    );
    return {
      detail: `${ref} is approved, and the profile ${name ?? 'in force'} does not name it.`,
      place: policy.placeOf(`/profiles/${name ?? ''}/tools`),
    };
  },
  not_in_run: (ref) => ({ detail: `${ref} is approved, and the run was started without it.` }),
  empty_shelf: (ref, who, { policy }) => {
    const [name] = profilesOf(who, policy);
    return {
      detail: `${ref} reads methodology skills, and ${who.caller.name} has none to read.`,
      ...(name !== undefined && { place: policy.placeOf(`/profiles/${name}/skills`) }),
    };
  },
};

/** The profiles that narrow this grant, the caller's first. A run knows its owner only by name. */
function profilesOf({ caller }: Identity, policy: Policy): string[] {
  const own = policy.callers.find(({ name }) => name === caller.name)?.profile ?? policy.defaultProfile;
  return [own, caller.run?.profile].filter((name) => name !== undefined);
}
