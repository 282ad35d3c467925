import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { LOCK_FILE, writeLock } from '../skills/lock-file.ts';
import { planPins } from '../skills/plan-pins.ts';
import { formatSkillNote } from '../skills/skill-fault.ts';

export interface SkillsPinOptions {
  /** The directory that holds the skill directories. */
  readonly root: string;
  /** Show the difference only. */
  readonly dryRun: boolean;
  readonly print: (line: string) => void;
}

/** `tool-broker skills pin`: shows how the skills differ from their pins, then writes the pins. Exit code 0 or 1. */
export function pinSkills({ root, dryRun, print }: SkillsPinOptions): number {
  const { pins, changes, faults, findings } = planPins(root);
  for (const finding of findings) print(`note: ${formatSkillNote(finding)}`);
  if (faults.length > 0) {
    for (const fault of faults) print(`error: ${formatSkillNote(fault)}`);
    print('Nothing was pinned.');
    return 1;
  }
  for (const change of changes) print(change);
  const file = join(root, LOCK_FILE);
  if (changes.length === 0) print(`${file} is up to date: ${pins.size} skills.`);
  else if (dryRun) print(`${file} was not written.`);
  else {
    replaceFile(file, writeLock(pins));
    print(`${file} was written: ${pins.size} skills. Commit it, or keep it, with the skills.`);
  }
  return 0;
}

function replaceFile(file: string, text: string): void {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
