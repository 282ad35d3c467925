import { distance } from 'fastest-levenshtein';

/** The known names closest to what was written, nearest first; only those close enough to be a likely slip. */
export function nearestNames(wanted: string, known: readonly string[], count: number): string[] {
  const target = wanted.slice(0, 160).toLowerCase();
  return known
    .map((name) => ({
      name,
      far: distance(target, name.toLowerCase()),
      tolerated: Math.max(2, name.length / 2),
    }))
    .filter((candidate) => candidate.far <= candidate.tolerated)
    .toSorted((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map((candidate) => candidate.name);
}
