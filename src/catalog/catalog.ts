import type { Grant } from '../core/grant.ts';
import type { CatalogEntry, Refusal } from './entry.ts';

/** A tool as the operator sees it, approved or not. */
export interface KnownTool {
  readonly entry: CatalogEntry;
  readonly approved: boolean;
  /** Things worth knowing that did not stop it, as sentences. */
  readonly findings: readonly string[];
}

/** All that was found at boot. Frozen: nothing in it changes until the process ends. */
export interface Catalog {
  /** What this grant may call, sorted by name. */
  readonly list: (grant: Grant) => readonly CatalogEntry[];
  /** `name`, `name@version`, `package:command`, `package:command@version` to the approved tool that is meant. */
  readonly resolve: (ref: string) => CatalogEntry | undefined;
  /** `resolve`, then `decide`: the same undefined for unknown and refused. */
  readonly find: (ref: string, grant: Grant) => CatalogEntry | undefined;
  /** Sorted by origin, then name, then version. */
  readonly known: readonly KnownTool[];
  readonly refusals: readonly Refusal[];
  /** Things worth knowing about what was loaded all the same. */
  readonly findings: readonly {
    readonly origin: string;
    readonly source: string;
    readonly message: string;
  }[];
  /** How each repository was loaded, in a sentence. */
  readonly statuses: readonly { readonly origin: string; readonly status: string }[];
  /** Policy entries whose tool was refused, or that match nothing any more. */
  readonly deadEntries: readonly { readonly entry: string; readonly reason: string }[];
  /** Approved tools that were refused at boot, as a prompt may name them. */
  readonly unavailable: readonly { readonly name: string; readonly reason: string }[];
  readonly policyRevision: string;
}
