import { basename, resolve } from 'node:path';

import { bindSkill, type SkillBinding } from './bind-skill.ts';
import { digestFiles } from './digest.ts';
import { createHandlerTable } from './handlers/handler-table.ts';
import { readFileSet, type FileSet } from './read-file-set.ts';
import { readSkillMd, SKILL_FILE, type SkillMd } from './skill-md.ts';
import { TOOL_FILE } from './tool-json.ts';

/** A skill directory as it stands, whether or not it is pinned. To be looked at; it cannot be called. */
export interface UnpinnedSkill {
  readonly set: FileSet;
  readonly md: SkillMd;
  /** Absent for a methodology skill. */
  readonly binding?: SkillBinding;
}

const handlers = createHandlerTable({
  typeset: () => Promise.reject(new Error('an unpinned skill makes no files')),
});

export function readUnpinnedSkill(root: string): UnpinnedSkill {
  const set = readFileSet(root);
  const { files } = set;
  const md = readSkillMd(files.find(({ path }) => path === SKILL_FILE)?.bytes, basename(resolve(root)));
  if (!files.some(({ path }) => path === TOOL_FILE)) return { set, md };
  const source = { files, description: md.description, origin: 'directory:unpinned', handlers } as const;
  return { set, md, binding: bindSkill({ ...source, digest: digestFiles(files).digest }) };
}
