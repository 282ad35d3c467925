import type { BootFault } from '../core/boot-error.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import { createShelf, type MethodologySkill, type Shelf } from '../core/shelf.ts';
import type { DeadEntry } from './approve.ts';
import type { Policy, PolicyEntry } from './policy.ts';

export interface KnownSkills {
  readonly skills: readonly MethodologySkill[];
  /** Names that are known, from a pin for instance, whose skill was refused; and why. */
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
}

export interface Shelves {
  /** Per profile that names skills. */
  readonly shelves: ReadonlyMap<string, Shelf>;
  readonly faults: readonly BootFault[];
  readonly deadEntries: readonly DeadEntry[];
}

/** The skills that each profile names, compared with those that were loaded. There is no pool for everyone. */
export function stockShelves(policy: Policy, known: KnownSkills): Shelves {
  const shelves = new Map<string, Shelf>();
  const faults: BootFault[] = [];
  const deadEntries: DeadEntry[] = [];
  for (const { name, skills: entries } of policy.profiles.values()) {
    if (entries === undefined) continue;
    const chosen = entries.flatMap((entry) => {
      const found = known.skills.filter((skill) => skill.name === entry.text);
      const refused = known.refused.find((skill) => skill.name === entry.text);
      if (found.length === 0 && refused !== undefined)
        deadEntries.push({ entry: entry.text, reason: refused.reason });
      else if (found.length === 0) faults.push(sayUnknown(entry, known));
      else if (found.length > 1) faults.push(sayClash(entry, found));
      return found;
    });
    shelves.set(name, createShelf(chosen));
  }
  return { shelves, faults, deadEntries };
}

function sayUnknown({ text, place }: PolicyEntry, { skills }: KnownSkills): BootFault {
  const names = [...new Set(skills.map((skill) => skill.name))].toSorted();
  const [nearest] = nearestNames(text, names, 1);
  const known = names.length === 0 ? 'No methodology skill was loaded.' : `Known are ${names.join(', ')}.`;
  return {
    ...place,
    message: `There is no methodology skill ${quote(text)}.`,
    remedy: nearest === undefined ? known : `Did you mean ${nearest}? ${known}`,
  };
}

function sayClash({ text, place }: PolicyEntry, found: readonly MethodologySkill[]): BootFault {
  const origins = found.map((skill) => skill.origin).join(' and ');
  return {
    ...place,
    message: `Two methodology skills have the name ${quote(text)}: ${origins}.`,
    remedy: 'Rename one of them.',
  };
}
