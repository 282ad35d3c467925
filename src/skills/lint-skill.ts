import { findConcealed } from '../core/concealed.ts';
import { decodeText } from './decode-text.ts';
import type { SkillFile } from './read-file-set.ts';
import type { SkillNote } from './skill-fault.ts';
import { placeInText } from './text-place.ts';
import { readUnpinnedSkill } from './unpinned-skill.ts';

export interface LintFinding extends SkillNote {
  /** `error`: the skill would be refused. `warning`: it would load. */
  readonly severity: 'error' | 'warning';
}

/** Everything that is wrong with, or worth knowing of, one skill directory. It need not be pinned. */
export function lintSkill(root: string): readonly LintFinding[] {
  const { set, md, binding } = readUnpinnedSkill(root);
  const toolFaults = binding === undefined || binding.ok ? [] : binding.faults;
  return [
    ...[...set.faults, ...md.faults, ...toolFaults].map(asError),
    ...[...set.findings, ...md.findings, ...set.files.flatMap(findHiddenText)].map(asWarning),
  ];
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
