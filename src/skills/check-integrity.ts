import { comparePin } from './compare-pin.ts';
import type { ReadRepository, ReadSkill } from './read-repository.ts';
import type { SkillNote } from './skill-fault.ts';

/** Everything by which the files differ from the pins. Any of it refuses the whole repository. */
export function checkIntegrity({ skills, pins, faults }: ReadRepository): readonly SkillNote[] {
  const gone = [...(pins?.keys() ?? [])].filter(
    (name) => !skills.some(({ directory }) => directory === name),
  );
  return [
    ...faults,
    ...skills.flatMap((skill) => checkSkill(skill, pins)),
    ...gone.map((file) => ({ file, message: 'is pinned, but the directory is not there.' })),
  ];
}

function checkSkill({ directory, fileSet, digest }: ReadSkill, pins: ReadRepository['pins']): SkillNote[] {
  if (fileSet.faults.length > 0) {
    return fileSet.faults.map((note) => within(directory, note));
  }
  if (pins === undefined) return [];
  const pin = pins.get(directory);
  if (pin === undefined) return [{ file: directory, message: 'is not pinned.' }];
  if (pin.digest === digest.digest) return [];
  const changes = comparePin(pin, digest);
  const shown = changes.slice(0, 10).join(', ');
  const rest = changes.length > 10 ? ` and ${changes.length - 10} more` : '';
  return [{ file: directory, message: `${shown}${rest}: pinned as ${pin.digest}, found ${digest.digest}.` }];
}

/** A note about a file of a skill, as the repository names that file. */
export function within(directory: string, note: SkillNote): SkillNote {
  return Object.assign({}, note, { file: note.file === '.' ? directory : `${directory}/${note.file}` });
}
