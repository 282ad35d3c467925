import type { BootFault } from '../../src/core/boot-error.ts';
import { loadSkills } from '../../src/skills/load-skills.ts';
import { CONTEXT, makeDirectory, methodSkill, noteSkill, pin, writeSkill, type Files } from './skill-dirs.ts';

const typesetter = { typeset: () => Promise.reject(new Error('no PDF is set in this test')) };

/** A pinned repository with a skill of each kind. */
export function makeRepository(skills: Readonly<Record<string, Files>> = {}): string {
  const root = makeDirectory();
  writeSkill(root, 'make-note', noteSkill());
  writeSkill(root, 'do-it-well', methodSkill());
  for (const [name, files] of Object.entries(skills)) writeSkill(root, name, files);
  pin(root);
  return root;
}

export function boot(shippedRoot: string, directories: { label: string; root: string }[] = []) {
  return loadSkills({ shippedRoot, directories, typesetter });
}

export function bootFaults(root: string): readonly BootFault[] {
  const { faults } = boot(makeRepository(), [{ label: 'ours', root }]);
  if (faults.length === 0) throw new Error('the boot went on');
  return faults;
}

export async function runNote(
  tool: ReturnType<typeof boot>['tools'][number] | undefined,
  args = { title: 'Milk' },
) {
  const result = await tool?.execute(args, CONTEXT);
  if (result?.status !== 'ok') throw new Error(JSON.stringify(result));
  return {
    output: result.output,
    text: Buffer.from(result.file?.bytes ?? []).toString('utf8'),
    file: result.file,
  };
}
