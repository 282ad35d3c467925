import type { BootFault } from '../core/boot-error.ts';
import type { Origin } from '../core/tool.ts';
import { sayClash, sayUnknownEntry, sayUnknownTool } from './approve-faults.ts';
import { type ApproveIndex, indexKnownTools } from './approve-index.ts';
import type { Policy, PolicyEntry, PolicyPlace } from './policy.ts';

/** A tool that can be approved. Two of them may have one ref, when they come from different origins. */
export interface ApprovableTool {
  readonly ref: string;
  readonly name: string;
  readonly origin: Origin;
  /** `sha256:<hex>`; of a package, the whole package's. */
  readonly digest: string;
}

/** All that the suppliers found at boot. */
export interface KnownTools {
  readonly tools: readonly ApprovableTool[];
  /** Refs that are known, from a pin for instance, whose tool was refused; and why. */
  readonly refused: readonly { readonly ref: string; readonly reason: string }[];
}

export interface DeadEntry {
  readonly entry: string;
  readonly reason: string;
}

/** The policy compared with the tools that exist. It may be used only when there are no faults. */
export interface Approval {
  /** Refs, no two with one name. */
  readonly approved: ReadonlySet<string>;
  /** The entry that approved each of them. */
  readonly approvedBy: ReadonlyMap<string, PolicyEntry>;
  /** Per profile that names tools: the refs of those that are approved. */
  readonly profiles: ReadonlyMap<string, ReadonlySet<string>>;
  /** Per caller with an `approve` of its own: the refs of those that are approved. */
  readonly callers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly faults: readonly BootFault[];
  /** Entries that are right and have no effect. */
  readonly deadEntries: readonly DeadEntry[];
}

/** The built-ins and nothing else, for ever: no skill, directory or package is ever approved by it. */
const BUNDLE = 'local';

/** Each suggestion is a comparison with every known ref; past this many the unknown entries are only counted. */
const MAX_UNKNOWN = 200;

interface Finding {
  readonly unknown: (() => BootFault)[];
  readonly deadEntries: DeadEntry[];
}

/** Never throws. With no tools or no entries, nothing is approved. */
export function approvePolicy(policy: Policy, known: KnownTools): Approval {
  const index = indexKnownTools(known);
  const finding: Finding = { unknown: [], deadEntries: [] };
  const chosen = chooseTools(policy.approve, index, finding);
  const approved = refsOf(chosen.keys());
  const callers = new Map<string, ReadonlySet<string>>();
  for (const { name, approve } of policy.callers) {
    if (approve === undefined) continue;
    const own = chooseTools(approve, index, finding);
    callers.set(name, narrow(own, { approved, who: `the caller ${name}`, finding }));
  }
  const profiles = new Map<string, ReadonlySet<string>>();
  for (const { name, tools } of policy.profiles.values()) {
    if (tools === undefined) continue;
    const own = chooseProfileTools(tools, index, finding);
    profiles.set(name, narrow(own, { approved, who: `the profile ${name}`, finding }));
  }
  const faults = [...sayUnknowns(policy.source, finding.unknown), ...findClashes(chosen, index)];
  const approvedBy = new Map([...chosen].map(([{ ref }, entry]) => [ref, entry]));
  return { approved, approvedBy, profiles, callers, faults, deadEntries: finding.deadEntries };
}

/** Each tool that the entries choose, with the first entry that did. */
type Chosen = ReadonlyMap<ApprovableTool, PolicyEntry>;

function chooseTools(entries: readonly PolicyEntry[], index: ApproveIndex, finding: Finding): Chosen {
  const builtins = index.tools.filter(({ origin }) => origin === 'builtin');
  const find = (text: string): readonly ApprovableTool[] | undefined =>
    text === BUNDLE ? builtins : findByEntry(text, index);
  return collect(entries, { find, say: sayUnknownEntry, index, finding });
}

function chooseProfileTools(entries: readonly PolicyEntry[], index: ApproveIndex, finding: Finding): Chosen {
  const find = (text: string): readonly ApprovableTool[] | undefined =>
    index.byRef.get(text) ??
    index.byEntry.get(text) ??
    mergeTools(index.byName.get(text), index.byPackage.get(text));
  return collect(entries, { find, say: sayUnknownTool, index, finding });
}

/** A `#sha256:…` behind an entry pins what it approves to exactly these files. */
function findByEntry(text: string, index: ApproveIndex): readonly ApprovableTool[] | undefined {
  const at = text.indexOf('#');
  if (at < 0) return index.byEntry.get(text);
  const pinned = index.byEntry.get(text.slice(0, at))?.filter(({ digest }) => digest === text.slice(at + 1));
  return pinned?.length === 0 ? undefined : pinned;
}

function mergeTools(
  named: readonly ApprovableTool[] | undefined,
  packaged: readonly ApprovableTool[] | undefined,
): readonly ApprovableTool[] | undefined {
  return named === undefined && packaged === undefined ? undefined : [...(named ?? []), ...(packaged ?? [])];
}

interface Lookup {
  readonly find: (text: string) => readonly ApprovableTool[] | undefined;
  readonly say: (entry: PolicyEntry, index: ApproveIndex) => BootFault;
  readonly index: ApproveIndex;
  readonly finding: Finding;
}

function collect(entries: readonly PolicyEntry[], { find, say, index, finding }: Lookup): Chosen {
  const chosen = new Map<ApprovableTool, PolicyEntry>();
  for (const entry of entries) {
    const tools = find(entry.text);
    const reason = index.refused.get(entry.text.split('#', 1)[0] ?? '');
    for (const tool of tools ?? []) if (!chosen.has(tool)) chosen.set(tool, entry);
    if (tools !== undefined) continue;
    if (reason !== undefined) finding.deadEntries.push({ entry: entry.text, reason });
    else finding.unknown.push(() => say(entry, index));
  }
  return chosen;
}

/**
 * A grant holds refs, so a tool that shares its ref with an approved one would be let in as well, wherever it came
 * from. That stops the boot as two approved tools with one name do.
 */
function findClashes(chosen: Chosen, index: ApproveIndex): BootFault[] {
  const byName = new Map<string, { place: PolicyPlace; tools: Set<ApprovableTool> }>();
  for (const [tool, { place }] of chosen) {
    const { tools } = byName.get(tool.name) ?? { tools: new Set<ApprovableTool>() };
    for (const same of index.byRef.get(tool.ref) ?? []) tools.add(same);
    byName.set(tool.name, { place, tools });
  }
  return [...byName.values()]
    .filter(({ tools }) => tools.size > 1)
    .map(({ place, tools }) => sayClash(place, [...tools]));
}

interface Narrowing {
  readonly approved: ReadonlySet<string>;
  /** Whose list it is, for the report. */
  readonly who: string;
  readonly finding: Finding;
}

/** A list that names more than is approved is no fault: it cannot widen anything. It is reported. */
function narrow(own: Chosen, { approved, who, finding }: Narrowing): ReadonlySet<string> {
  const refs = refsOf(own.keys());
  for (const ref of refs) {
    if (approved.has(ref)) continue;
    refs.delete(ref);
    finding.deadEntries.push({ entry: ref, reason: `It stands in the list of ${who} and is not approved.` });
  }
  return refs;
}

function refsOf(tools: Iterable<ApprovableTool>): Set<string> {
  return new Set([...tools].map(({ ref }) => ref));
}

function sayUnknowns(source: string, unknown: Finding['unknown']): BootFault[] {
  const faults = unknown.slice(0, MAX_UNKNOWN).map((say) => say());
  if (unknown.length <= MAX_UNKNOWN) return faults;
  const message = `${unknown.length - MAX_UNKNOWN} more entries match no tool.`;
  return [...faults, { source, message, remedy: 'Correct the others first.' }];
}
