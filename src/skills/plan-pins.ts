import { formatRef } from '../core/ref.ts';
import { within } from './check-integrity.ts';
import { comparePin } from './compare-pin.ts';
import { LOCK_FILE, type Pin, type Pins } from './lock-file.ts';
import { readRepository, type ReadSkill } from './read-repository.ts';
import type { SkillNote } from './skill-fault.ts';
import { readToolJson, TOOL_FILE } from './tool-json.ts';

export interface PinPlan {
  /** What the lock file should say. */
  readonly pins: Pins;
  /** How that differs from what it says now, one sentence a skill; empty when it is up to date. */
  readonly changes: readonly string[];
  /** Why nothing can be pinned. */
  readonly faults: readonly SkillNote[];
  readonly findings: readonly SkillNote[];
}

/** Looks at a directory of skills as a boot would, and works out its pins. A missing or broken lock file counts as empty. */
export function planPins(root: string): PinPlan {
  const read = readRepository(root);
  const old: Pins = read.pins ?? new Map();
  const pins = new Map(read.skills.map((skill) => [skill.directory, toPin(skill)]));
  const own = read.faults.filter(({ file }) => file !== LOCK_FILE);
  const faults = [
    ...own,
    ...read.skills.flatMap(({ directory, fileSet }) => fileSet.faults.map((note) => within(directory, note))),
  ];
  const findings = [
    ...read.findings,
    ...read.skills.flatMap(({ directory, fileSet }) =>
      fileSet.findings.map((note) => within(directory, note)),
    ),
  ];
  return { pins, changes: describeChanges(old, pins), faults, findings };
}

function toPin({ digest, fileSet }: ReadSkill): Pin {
  const tool = fileSet.files.find(({ path }) => path === TOOL_FILE);
  const json = tool && readToolJson(tool.bytes);
  if (json?.ok !== true) return digest;
  return { ...digest, ref: formatRef({ name: json.value.tool_id, version: json.value.version }) };
}

function describeChanges(old: Pins, found: Pins): readonly string[] {
  const names = [...new Set([...old.keys(), ...found.keys()])].toSorted();
  return names.flatMap((name) => {
    const [before, now] = [old.get(name), found.get(name)];
    if (now === undefined) return [`- ${name}: no longer there`];
    if (before === undefined) return [`+ ${name}: new, ${now.files.size} files, ${now.digest}`];
    if (before.digest === now.digest && before.ref === now.ref) return [];
    const moved =
      before.ref === now.ref ? [] : [`the ref was ${before.ref ?? 'none'} and is ${now.ref ?? 'none'}`];
    const changes = before.digest === now.digest ? [] : comparePin(before, now);
    return [`~ ${name}: ${[...moved, ...changes].join(', ')}; ${before.digest} -> ${now.digest}`];
  });
}
