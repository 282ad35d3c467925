/** Something about one file of a skill: a fault refuses the skill, a finding is only reported. */
export interface SkillNote {
  /** Relative to the skill directory, or the name of the directory itself. */
  readonly file: string;
  /** 1-based, like `column`; absent where a file has no lines. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** `SKILL.md:3:14: …` */
export function formatSkillNote(note: SkillNote): string {
  const place = [note.file, note.line, note.column].filter((part) => part !== undefined).join(':');
  return `${place}: ${note.message}`;
}
