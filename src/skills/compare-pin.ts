import type { SkillDigest } from './digest.ts';

/** What became of the files of a skill since it was pinned, one phrase a file; empty when nothing did. */
export function comparePin(pin: SkillDigest, found: SkillDigest): readonly string[] {
  const paths = [...new Set([...pin.files.keys(), ...found.files.keys()])].toSorted();
  const changes = paths.flatMap((path) => describeChange(path, pin.files.get(path), found.files.get(path)));
  if (changes.length === 0 && pin.digest !== found.digest) return ['the digest of the whole differs'];
  return changes;
}

function describeChange(path: string, pinned: string | undefined, found: string | undefined): string[] {
  if (pinned === found) return [];
  if (pinned === undefined) return [`${path} was added`];
  if (found === undefined) return [`${path} is missing`];
  if (pinned.replace(' x', '') !== found.replace(' x', '')) return [`${path} was changed`];
  return [found.endsWith(' x') ? `${path} was made executable` : `${path} is not executable any more`];
}
