import { basename, resolve } from 'node:path';

import { findConcealed } from '../core/concealed.ts';
import { bindSkill } from './bind-skill.ts';
import { decodeText } from './decode-text.ts';
import { digestFiles } from './digest.ts';
import { createHandlerTable } from './handlers/handler-table.ts';
import { readFileSet, type SkillFile } from './read-file-set.ts';
import { readSkillMd, SKILL_FILE } from './skill-md.ts';
import type { SkillNote } from './skill-fault.ts';
import { placeInText } from './text-place.ts';
import { TOOL_FILE } from './tool-json.ts';

export interface LintFinding extends SkillNote {
  /** `error`: the skill would be refused. `warning`: it would load. */
  readonly severity: 'error' | 'warning';
}

/** Lint never renders. */
const handlers = createHandlerTable({
  typeset: () => Promise.reject(new Error('lint does not typeset')),
});

/** Everything that is wrong with, or worth knowing of, one skill directory. It need not be pinned. */
export function lintSkill(root: string): readonly LintFinding[] {
  const { files, faults, findings } = readFileSet(root);
  const markdown = files.find(({ path }) => path === SKILL_FILE);
  const md = readSkillMd(markdown?.bytes, basename(resolve(root)));
  return [
    ...faults.map(asError),
    ...md.faults.map(asError),
    ...lintTool(files, md.description).map(asError),
    ...findings.map(asWarning),
    ...md.findings.map(asWarning),
    ...files.flatMap(findHiddenText).map(asWarning),
  ];
}

function lintTool(files: readonly SkillFile[], description: string): readonly SkillNote[] {
  if (!files.some(({ path }) => path === TOOL_FILE)) return [];
  const { digest } = digestFiles(files);
  const bound = bindSkill({ files, description, origin: 'directory:lint', digest, handlers });
  return bound.ok ? [] : bound.faults;
}

/** Reports where and how much, never the text itself: what is hidden may be instructions. */
function findHiddenText({ path, bytes }: SkillFile): SkillNote[] {
  const decoded = decodeText(bytes);
  if (!decoded.ok || bytes.includes(0)) return [];
  return findConcealed(decoded.text).map(({ kind, count, offset }) => {
    const { line, column } = placeInText(decoded.text, offset);
    const what = `holds ${count} × ${kind}, first at offset ${offset}`;
    return { file: path, line, column, message: `${what}: a reader cannot see it, a model can. ${ADVICE}` };
  });
}

const ADVICE = 'Take it out unless you know why it is there.';

function asError(note: SkillNote): LintFinding {
  return Object.assign({ severity: 'error' as const }, note);
}

function asWarning(note: SkillNote): LintFinding {
  return Object.assign({ severity: 'warning' as const }, note);
}
