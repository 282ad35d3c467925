import { join } from 'node:path';

import type { BootFault } from '../core/boot-error.ts';
import type { MethodologySkill } from '../core/shelf.ts';
import type { Origin, Tool } from '../core/tool.ts';
import type { Typesetter } from '../typeset/typesetter.ts';
import { createHandlerTable } from './handlers/handler-table.ts';
import { loadRepository, type LoadedRepository, type RepositoryFault } from './load-repository.ts';
import type { SkillNote } from './skill-fault.ts';

export interface SkillsOptions {
  /** The directory that is shipped with the service. */
  readonly shippedRoot: string;
  /** Directories of the operator, each under a label of its own. */
  readonly directories: readonly { readonly label: string; readonly root: string }[];
  readonly typesetter: Pick<Typesetter, 'typeset'>;
}

/** Something that was found and is not there; the catalog shows it as it is. */
export interface SkillRefusal {
  readonly origin: string;
  /** Path, and line and column where there are any. */
  readonly source: string;
  readonly reason: string;
  readonly ref?: string;
}

export interface SkillFinding {
  readonly origin: string;
  readonly source: string;
  readonly message: string;
}

export interface RepositoryStatus {
  readonly origin: Origin;
  /** A sentence for operators. */
  readonly status: string;
}

export interface LoadedSkills {
  readonly tools: readonly Tool[];
  readonly methodology: readonly MethodologySkill[];
  readonly refusals: readonly SkillRefusal[];
  readonly findings: readonly SkillFinding[];
  readonly statuses: readonly RepositoryStatus[];
  /** Refs that the policy may name although their skill was refused. */
  readonly pinnedRefs: readonly string[];
  /** Methodology skills that a profile may name although they were refused; and why. */
  readonly refusedMethodology: readonly { readonly name: string; readonly reason: string }[];
  /** Why it is unknown which skills are shipped: their pins cannot be read. Absent: it is known. */
  readonly shippedUnknown?: string;
  /** What is wrong with a directory that the operator configured: the process must not start. */
  readonly faults: readonly BootFault[];
}

/**
 * Loads the shipped skills and those of the operator, once, before anything listens. A refused shipped repository
 * leaves nothing of it behind and is reported; a directory that the operator configured and that does not match its
 * pins leaves faults, and must stop the start.
 */
export function loadSkills({ shippedRoot, directories, typesetter }: SkillsOptions): LoadedSkills {
  const handlers = createHandlerTable(typesetter);
  const shipped = loadRepository({ root: shippedRoot, origin: 'repository', handlers });
  const own = directories.map(({ label, root }) =>
    loadRepository({ root, origin: `directory:${label}`, handlers }),
  );
  const all = [shipped, ...own];
  const shelf = keepFirst(all.flatMap(({ methodology }) => methodology));
  return {
    tools: all.flatMap(({ tools }) => tools),
    methodology: shelf.kept,
    refusals: [...all.flatMap(toRefusals), ...shelf.refusals],
    findings: all.flatMap(toFindings),
    statuses: all.map((repository) => ({ origin: repository.origin, status: describeStatus(repository) })),
    pinnedRefs: [...new Set(all.flatMap(({ pinnedRefs }) => pinnedRefs))].toSorted(),
    refusedMethodology: all.flatMap(toRefusedMethodology),
    ...(!shipped.hasPins && { shippedUnknown: describeStatus(shipped) }),
    faults: own.flatMap(toBootFaults),
  };
}

function toBootFaults({ root, integrityFaults }: LoadedRepository): BootFault[] {
  const remedy = `Put the files back, or look at the change and run \`tool-broker skills pin ${root}\`.`;
  return integrityFaults.map(({ file, line, column, message }) => {
    const place = { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
    return { source: join(root, file), ...place, message, remedy };
  });
}

function toRefusedMethodology(repository: LoadedRepository): LoadedSkills['refusedMethodology'] {
  const loaded = new Set(repository.methodology.map(({ name }) => name));
  return repository.methodologyNames
    .filter((name) => !loaded.has(name))
    .map((name) => {
      const fault = repository.formatFaults.find(({ file }) => file.split('/', 1)[0] === name);
      return { name, reason: fault?.message ?? describeStatus(repository) };
    });
}

function toRefusals({ origin, root, integrityFaults, formatFaults }: LoadedRepository): SkillRefusal[] {
  return [...integrityFaults, ...formatFaults].map((fault: RepositoryFault) => {
    const refusal = { origin, source: sourceOf(root, fault), reason: fault.message };
    return fault.ref === undefined ? refusal : Object.assign(refusal, { ref: fault.ref });
  });
}

function toFindings({ origin, root, findings }: LoadedRepository): SkillFinding[] {
  return findings.map((note) => ({ origin, source: sourceOf(root, note), message: note.message }));
}

function sourceOf(root: string, { file, line, column }: SkillNote): string {
  return [join(root, file), line, column].filter((part) => part !== undefined).join(':');
}

function describeStatus({
  origin,
  root,
  integrityFaults,
  formatFaults,
  ...loaded
}: LoadedRepository): string {
  const what = origin === 'repository' ? 'the shipped skill repository' : `the skill repository ${origin}`;
  const [first] = integrityFaults;
  if (first !== undefined) {
    const more = integrityFaults.length > 1 ? ` (and ${integrityFaults.length - 1} more reasons)` : '';
    return `${what} was refused: ${sourceOf(root, first)}: ${first.message}${more}`;
  }
  const count = loaded.tools.length + loaded.methodology.length;
  const refused = new Set(formatFaults.map(({ file }) => file.split('/')[0]));
  const left = refused.size === 0 ? '' : `; ${refused.size} refused: ${[...refused].join(', ')}`;
  return `${count} ${count === 1 ? 'skill' : 'skills'} loaded and digest-checked${left}`;
}

/** Names on the shelf are one name space: of two skills with one name the one that was there first stays. */
function keepFirst(skills: readonly MethodologySkill[]): {
  kept: MethodologySkill[];
  refusals: SkillRefusal[];
} {
  const kept = new Map<string, MethodologySkill>();
  const refusals: SkillRefusal[] = [];
  for (const skill of skills) {
    const first = kept.get(skill.name);
    if (first === undefined) kept.set(skill.name, skill);
    else {
      const reason = `a methodology skill of this name is already there, from ${first.origin}. Rename this one.`;
      refusals.push({ origin: skill.origin, source: skill.name, reason });
    }
  }
  return { kept: [...kept.values()], refusals };
}
