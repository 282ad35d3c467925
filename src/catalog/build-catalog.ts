import type { Grant } from '../core/grant.ts';
import type { Catalog, KnownTool } from './catalog.ts';
import { decide } from './decide.ts';
import type { CatalogEntry, Refusal } from './entry.ts';
import { listUnavailable } from './list-unavailable.ts';
import type { Registry } from './registry.ts';

export interface CatalogParts {
  readonly registry: Registry;
  /** Refs that the policy approves; no two of them share a name. */
  readonly approved: ReadonlySet<string>;
  /** What the suppliers refused before the registry saw it. */
  readonly refusals: readonly Refusal[];
  readonly findings: Catalog['findings'];
  readonly statuses: Catalog['statuses'];
  readonly deadEntries: Catalog['deadEntries'];
  /** The entries that approve, as they are written. */
  readonly approveEntries: readonly string[];
  readonly policyRevision: string;
}

/** Joins the registry and the approvals into what the rest of the service asks. */
export function buildCatalog(parts: CatalogParts): Catalog {
  const known: KnownTool[] = parts.registry.tools.map(({ entry, findings }) =>
    Object.freeze({ entry, findings, approved: parts.approved.has(entry.ref) }),
  );
  const refusals = Object.freeze([...parts.refusals, ...parts.registry.refusals]);
  const index = indexEntries(known);
  const resolve = (ref: string): CatalogEntry | undefined => index.get(ref);
  return Object.freeze({
    resolve,
    find: (ref: string, grant: Grant) => {
      const entry = resolve(ref);
      return entry !== undefined && decide(entry.spec, grant).allowed ? entry : undefined;
    },
    list: createLister(known),
    known: Object.freeze(known),
    refusals,
    findings: parts.findings,
    statuses: parts.statuses,
    deadEntries: parts.deadEntries,
    unavailable: Object.freeze(listUnavailable({ ...parts, refusals })),
    policyRevision: parts.policyRevision,
  });
}

/** Every way to write an approved tool in a request. What is not approved cannot be reached by any of them. */
function indexEntries(known: readonly KnownTool[]): ReadonlyMap<string, CatalogEntry> {
  const index = new Map<string, CatalogEntry>();
  for (const { entry, approved } of known) {
    if (!approved) continue;
    index.set(entry.ref, entry).set(entry.spec.name, entry);
    const [kind, source] = entry.spec.origin.split(':', 2);
    if (kind === 'package') {
      index.set(`${source}:${entry.ref}`, entry).set(`${source}:${entry.spec.name}`, entry);
    }
  }
  return index;
}

/** A grant is made once per credential at boot, so what it may list is worked out once as well. */
function createLister(known: readonly KnownTool[]): Catalog['list'] {
  const lists = new WeakMap<Grant, readonly CatalogEntry[]>();
  return (grant) => {
    const ready = lists.get(grant);
    if (ready !== undefined) return ready;
    const list = Object.freeze(
      known
        .map(({ entry }) => entry)
        .filter((entry) => decide(entry.spec, grant).allowed)
        .toSorted((a, b) => (a.spec.name < b.spec.name ? -1 : 1)),
    );
    lists.set(grant, list);
    return list;
  };
}
