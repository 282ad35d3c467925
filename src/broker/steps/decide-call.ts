import type { Catalog } from '../../catalog/catalog.ts';
import { decide } from '../../catalog/decide.ts';
import type { CatalogEntry } from '../../catalog/entry.ts';
import { toolNotFound } from '../../catalog/not-found.ts';
import type { Call } from '../call.ts';

/** Step 2: may this caller call it? Throws the NOT_FOUND that an unknown tool gets. */
export function decideCall(call: Call, entry: CatalogEntry, catalog: Catalog): void {
  if (decide(entry.spec, call.request.grant).allowed) return;
  throw toolNotFound(catalog, call.request.ref, call.request.grant);
}
