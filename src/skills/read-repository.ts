import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

import { quote } from '../core/quote.ts';
import { digestFiles, type SkillDigest } from './digest.ts';
import { LOCK_FILE, readLock, type Pins } from './lock-file.ts';
import { comparePaths, isLeftover, readFileSet, readOneFile, type FileSet } from './read-file-set.ts';
import type { SkillNote } from './skill-fault.ts';

/** A skill directory in memory. The digest says nothing when the file set has faults. */
export interface ReadSkill {
  readonly directory: string;
  readonly fileSet: FileSet;
  readonly digest: SkillDigest;
}

/** A directory of skills as it stood at one moment. Notes name files relative to it. */
export interface ReadRepository {
  readonly skills: readonly ReadSkill[];
  /** Undefined when there is no lock file, or none that can be read. */
  readonly pins: Pins | undefined;
  /** Faults of the repository itself; those of a skill's files are in its file set. */
  readonly faults: readonly SkillNote[];
  readonly findings: readonly SkillNote[];
}

/** Reads everything once. Nothing is opened but plain files, nothing is followed, nothing is checked against the pins. */
export function readRepository(root: string): ReadRepository {
  const faults: SkillNote[] = [];
  const findings: SkillNote[] = [];
  const skills: ReadSkill[] = [];
  const entries = listRoot(root, faults);
  for (const entry of entries) {
    if (isLeftover(entry.name)) findings.push({ file: entry.name, message: 'is no skill; it is ignored.' });
    else if (entry.isDirectory()) skills.push(readSkill(root, entry.name));
    else if (!entry.isFile()) {
      faults.push({
        file: entry.name,
        message: 'is a link or a special file. Skills are plain directories: put it here itself.',
      });
    } else if (entry.name !== LOCK_FILE) {
      findings.push({ file: entry.name, message: 'stands next to the skills and is ignored.' });
    }
  }
  const hasLock = entries.some((entry) => entry.name === LOCK_FILE && entry.isFile());
  const pins = hasLock ? readPins(root, faults) : undefined;
  if (!hasLock && faults.length === 0)
    faults.push({ file: LOCK_FILE, message: 'is missing, so nothing is pinned.' });
  return { skills, pins, faults, findings };
}

function listRoot(root: string, faults: SkillNote[]): readonly Dirent[] {
  try {
    return readdirSync(root, { withFileTypes: true }).sort((a, b) => comparePaths(a.name, b.name));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code;
    faults.push({
      file: '.',
      message: `the directory ${quote(root)} cannot be read (${code ?? String(error)}).`,
    });
    return [];
  }
}

function readSkill(root: string, directory: string): ReadSkill {
  const fileSet = readFileSet(join(root, directory));
  return { directory, fileSet, digest: digestFiles(fileSet.files) };
}

function readPins(root: string, faults: SkillNote[]): Pins | undefined {
  const file = readOneFile(join(root, LOCK_FILE));
  const lock = typeof file === 'string' ? undefined : readLock(file);
  if (typeof file === 'string') faults.push({ file: LOCK_FILE, message: file });
  if (lock?.ok === false) faults.push(...lock.faults);
  return lock?.ok === true ? lock.pins : undefined;
}
