import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { ToolSpec } from '../core/tool.ts';
import { PREBUILT_MANIFEST } from '../packages/contract.ts';
import { discoverPackage } from '../packages/run/discover-package.ts';
import { SKILL_FILE } from '../skills/skill-md.ts';
import { readUnpinnedSkill } from '../skills/unpinned-skill.ts';

/** The tools that a directory holds, and what keeps others from being one. */
export interface ToolDirectory {
  readonly specs: readonly ToolSpec[];
  readonly faults: readonly { readonly source: string; readonly message: string }[];
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * A skill, a prebuilt package, or a directory of them. Nothing in it is started, and skills need not be pinned.
 * Methodology skills are no tools and left out.
 */
export async function readToolDirectory(directory: string): Promise<ToolDirectory> {
  const own = await readOne(directory);
  if (own !== undefined) return own;
  const found: ToolDirectory[] = [];
  for (const name of readdirSync(directory).toSorted()) {
    const path = join(directory, name);
    if (isDirectory(path)) found.push((await readOne(path)) ?? NOTHING);
  }
  return {
    specs: found.flatMap(({ specs }) => specs),
    faults: found.flatMap(({ faults }) => faults),
  };
}

const NOTHING: ToolDirectory = { specs: [], faults: [] };

async function readOne(path: string): Promise<ToolDirectory | undefined> {
  if (existsSync(join(path, SKILL_FILE))) return readSkill(path);
  return existsSync(join(path, PREBUILT_MANIFEST)) ? readPackage(path) : undefined;
}

function readSkill(path: string): ToolDirectory {
  const { set, md, binding } = readUnpinnedSkill(path);
  if (binding === undefined) return NOTHING;
  const notes = [...set.faults, ...md.faults, ...(binding.ok ? [] : binding.faults)];
  const faults = notes.map(({ file, message }) => ({ source: join(path, file), message }));
  return { specs: binding.ok && faults.length === 0 ? [binding.tool.spec] : [], faults };
}

async function readPackage(path: string): Promise<ToolDirectory> {
  const directory = realpathSync(path);
  const found = await discoverPackage(directory, basename(directory));
  if ('faults' in found) return { specs: [], faults: found.faults };
  const faults = found.refusals.map(({ source, reason }) => ({ source, message: reason }));
  return { specs: found.package.commands.map(({ spec }) => spec), faults };
}
