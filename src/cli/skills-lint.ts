import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { lintSkill, type LintFinding } from '../skills/lint-skill.ts';
import { formatSkillNote } from '../skills/skill-fault.ts';
import { SKILL_FILE } from '../skills/skill-md.ts';

export interface SkillsLintOptions {
  /** A skill directory, or a directory of skill directories. */
  readonly directory: string;
  /** One JSON document instead of lines. */
  readonly json: boolean;
  readonly print: (line: string) => void;
}

/** `tool-broker skills lint`: every finding of one skill or several. Exit code 0 when there is none, 1 when there are, 2 when there is no skill. */
export function lintSkills({ directory, json, print }: SkillsLintOptions): number {
  const roots = findSkills(directory);
  if (roots.length === 0) {
    print(`${directory}: no skill here. A skill is a directory with a ${SKILL_FILE}.`);
    return 2;
  }
  const results = roots.map((root) => ({ skill: root, findings: lintSkill(root) }));
  if (json) print(JSON.stringify({ skills: results }, undefined, 2));
  else for (const { skill, findings } of results) printFindings(skill, findings, print);
  return results.some(({ findings }) => findings.length > 0) ? 1 : 0;
}

function printFindings(skill: string, findings: readonly LintFinding[], print: (line: string) => void): void {
  if (findings.length === 0) print(`${skill}: no findings`);
  for (const finding of findings) print(`${skill}: ${finding.severity}: ${formatSkillNote(finding)}`);
}

function findSkills(directory: string): string[] {
  if (existsSync(join(directory, SKILL_FILE))) return [directory];
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, SKILL_FILE)))
    .map((entry) => join(directory, entry.name))
    .sort();
}
