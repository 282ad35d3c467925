import type { Catalog } from './catalog.ts';
import type { Refusal } from './entry.ts';

/** Approved tools that were refused at boot: named by an entry of their own, or as one command of an approved package. */
export function listUnavailable(parts: {
  /** As the policy writes them. */
  readonly approveEntries: readonly string[];
  readonly deadEntries: Catalog['deadEntries'];
  readonly refusals: readonly Refusal[];
}): Catalog['unavailable'] {
  const { approveEntries, deadEntries, refusals } = parts;
  const bare = new Set(approveEntries.map((entry) => entry.split('#', 1)[0]));
  const dead = deadEntries
    .filter(({ entry }) => approveEntries.includes(entry))
    .map(({ entry, reason }) => ({ name: nameOf(entry), reason }));
  const commands = refusals.flatMap(({ origin, ref, reason }) => {
    const [kind, source = ''] = origin.split(':', 2);
    if (kind !== 'package' || ref === undefined) return [];
    const [name = '', version = ''] = ref.split('@', 2);
    return bare.has(`${source}@${version}`) ? [{ name, reason }] : [];
  });
  return [...new Map([...commands, ...dead].map((one) => [one.name, one])).values()];
}

/** `package:command@version#digest` to the bare name. */
function nameOf(entry: string): string {
  const [written = ''] = entry.split('@', 1);
  return written.slice(written.indexOf(':') + 1);
}
