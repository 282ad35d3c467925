import { checkIntegrity } from '../skills/check-integrity.ts';
import { readRepository } from '../skills/read-repository.ts';
import { formatSkillNote } from '../skills/skill-fault.ts';

export interface SkillsVerifyOptions {
  /** The directory that holds the skill directories and their lock file. */
  readonly root: string;
  readonly print: (line: string) => void;
}

/** `tool-broker skills verify`: holds the files against the pins, as a boot does. Exit code 0 when all match, else 1. */
export function verifySkills({ root, print }: SkillsVerifyOptions): number {
  const read = readRepository(root);
  const faults = checkIntegrity(read);
  for (const fault of faults) print(`error: ${formatSkillNote(fault)}`);
  print(
    faults.length === 0
      ? `${read.skills.length} skills match their pins.`
      : `The skills in ${root} do not match their pins; a boot would refuse them all.`,
  );
  return faults.length === 0 ? 0 : 1;
}
