import type { MethodologySkill } from '../core/shelf.ts';
import { formatRef } from '../core/ref.ts';
import type { Origin, Tool } from '../core/tool.ts';
import { bindSkill } from './bind-skill.ts';
import { checkIntegrity, within } from './check-integrity.ts';
import type { HandlerTable } from './handlers/handler-table.ts';
import { readRepository, type ReadRepository, type ReadSkill } from './read-repository.ts';
import { readSkillMd, SKILL_FILE } from './skill-md.ts';
import type { SkillNote } from './skill-fault.ts';
import { TOOL_FILE } from './tool-json.ts';

export interface RepositorySource {
  readonly root: string;
  readonly origin: Origin;
  readonly handlers: HandlerTable;
}

/** A skill, or a whole repository, that is not there. */
export interface RepositoryFault extends SkillNote {
  /** The pinned ref of an executable skill. */
  readonly ref?: string;
}

/** What came of one directory of skills. Files in notes are relative to its root. */
export interface LoadedRepository {
  readonly origin: Origin;
  readonly root: string;
  /** With an integrity fault nothing at all is loaded. */
  readonly integrityFaults: readonly RepositoryFault[];
  /** Each of these skills alone is not loaded. */
  readonly formatFaults: readonly RepositoryFault[];
  readonly findings: readonly SkillNote[];
  readonly tools: readonly Tool[];
  readonly methodology: readonly MethodologySkill[];
  /** Whether there are pins that can be read. */
  readonly hasPins: boolean;
  /** Every ref that the pins name, loaded or not. */
  readonly pinnedRefs: readonly string[];
  /** Names of the methodology skills that the pins or the directories name, loaded or not. */
  readonly methodologyNames: readonly string[];
}

/** Reads, checks and binds a directory of skills: all of it, before anything is handed out. Never throws. */
export function loadRepository(source: RepositorySource): LoadedRepository {
  const read = readRepository(source.root);
  const pinnedRefs = [...(read.pins?.values() ?? [])].flatMap(({ ref }) => (ref === undefined ? [] : [ref]));
  const base = {
    origin: source.origin,
    root: source.root,
    hasPins: read.pins !== undefined,
    pinnedRefs: [...new Set(pinnedRefs)].toSorted(),
    methodologyNames: nameMethodology(read),
  };
  const broken = checkIntegrity(read);
  if (broken.length > 0) return refuseAll(base, broken, read.findings);
  const loaded = read.skills.map((skill) => loadSkill(skill, source, read.pins?.get(skill.directory)?.ref));
  const unknown = [...loaded.flatMap(({ integrity }) => integrity), ...findRepeatedRefs(loaded)];
  if (unknown.length > 0) return refuseAll(base, unknown, read.findings);
  return {
    ...base,
    integrityFaults: [],
    formatFaults: loaded.flatMap(({ faults }) => faults),
    findings: [...read.findings, ...loaded.flatMap(({ findings }) => findings)],
    tools: loaded.flatMap(({ tool }) => (tool === undefined ? [] : [tool])),
    methodology: loaded.flatMap(({ text }) => (text === undefined ? [] : [text])),
  };
}

function refuseAll(
  base: Pick<LoadedRepository, 'origin' | 'root' | 'hasPins' | 'pinnedRefs' | 'methodologyNames'>,
  integrityFaults: readonly RepositoryFault[],
  findings: ReadRepository['findings'],
): LoadedRepository {
  return { ...base, integrityFaults, formatFaults: [], findings, tools: [], methodology: [] };
}

function nameMethodology({ pins, skills }: ReadRepository): string[] {
  const pinned = [...(pins ?? [])].flatMap(([name, { ref }]) => (ref === undefined ? [name] : []));
  const found = skills.filter(({ fileSet }) => !fileSet.files.some(({ path }) => path === TOOL_FILE));
  return [...new Set([...pinned, ...found.map(({ directory }) => directory)])].toSorted();
}

interface LoadedSkill {
  readonly directory: string;
  readonly tool?: Tool;
  readonly text?: MethodologySkill;
  readonly integrity: readonly RepositoryFault[];
  readonly faults: readonly RepositoryFault[];
  readonly findings: readonly SkillNote[];
}

function loadSkill(skill: ReadSkill, source: RepositorySource, ref: string | undefined): LoadedSkill {
  const { directory, fileSet } = skill;
  const markdown = fileSet.files.find(({ path }) => path === SKILL_FILE);
  const isTool = fileSet.files.some(({ path }) => path === TOOL_FILE);
  const place = (note: SkillNote): RepositoryFault =>
    Object.assign(within(directory, note), ref === undefined ? {} : { ref });
  const md = readSkillMd(markdown?.bytes, directory);
  const bound = isTool
    ? bindSkill({
        ...source,
        ...skill,
        files: fileSet.files,
        description: md.description,
        digest: skill.digest.digest,
      })
    : undefined;
  const base = {
    directory,
    findings: [...fileSet.findings, ...md.findings].map((note) => within(directory, note)),
  };
  if (bound?.ok === false) {
    const faults = [...md.faults, ...bound.faults].map(place);
    return bound.isUnknownHandler
      ? { ...base, integrity: faults, faults: [] }
      : { ...base, integrity: [], faults };
  }
  const found = bound === undefined ? undefined : formatRef(bound.tool.spec);
  if (found !== ref) {
    const message = `is pinned as ${ref ?? 'no tool'}, but is ${found ?? 'no tool'}.`;
    return { ...base, integrity: [place({ file: '.', message })], faults: [] };
  }
  if (md.faults.length > 0) return { ...base, integrity: [], faults: md.faults.map(place) };
  return {
    ...base,
    integrity: [],
    faults: [],
    ...(bound === undefined ? { text: toText(skill, source.origin, md) } : { tool: bound.tool }),
  };
}

function toText(
  { fileSet, digest, directory }: ReadSkill,
  origin: Origin,
  md: { description: string; body: string },
): MethodologySkill {
  const files = new Map(
    fileSet.files.filter(({ path }) => path !== SKILL_FILE).map(({ path, bytes }) => [path, bytes]),
  );
  return Object.freeze({
    name: directory,
    description: md.description,
    origin,
    body: md.body,
    files,
    digest: digest.digest,
  });
}

/** Which of two skills a ref means must not depend on the order of directories. */
function findRepeatedRefs(loaded: readonly LoadedSkill[]): RepositoryFault[] {
  const first = new Map<string, string>();
  return loaded.flatMap(({ directory, tool }) => {
    if (tool === undefined) return [];
    const ref = formatRef(tool.spec);
    const other = first.get(ref);
    if (other === undefined) first.set(ref, directory);
    return other === undefined
      ? []
      : [{ file: `${directory}/${TOOL_FILE}`, ref, message: `is ${ref}, and so is ${other}/${TOOL_FILE}.` }];
  });
}
