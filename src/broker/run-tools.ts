import type { Catalog } from '../catalog/catalog.ts';
import type { Grant } from '../core/grant.ts';

export interface RunTools {
  /** Refs, sorted. */
  readonly tools: readonly string[];
  /** Entries that lead to no tool of this caller, as written; unknown and refused alike. */
  readonly ignored: readonly string[];
}

/** The tools that a run may call: what its owner may, narrowed by its list. No bundle ever expands here. */
export function chooseRunTools(
  catalog: Catalog,
  grant: Grant,
  wanted: readonly string[] | undefined,
): RunTools {
  const allowed = catalog.list(grant);
  if (wanted === undefined) return { tools: allowed.map((entry) => entry.ref).toSorted(), ignored: [] };
  const chosen = new Set<string>();
  const ignored: string[] = [];
  for (const text of new Set(wanted)) {
    const found = catalog.find(text, grant);
    const ofPackage = allowed.filter((entry) => entry.spec.origin === `package:${text}`);
    for (const entry of ofPackage) chosen.add(entry.ref);
    if (found !== undefined) chosen.add(found.ref);
    else if (ofPackage.length === 0) ignored.push(text);
  }
  return { tools: [...chosen].toSorted(), ignored };
}
