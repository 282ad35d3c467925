import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogEntry } from '../../catalog/entry.ts';
import { toolNotFound } from '../../catalog/not-found.ts';
import type { Call } from '../call.ts';

/** Step 1: from what the caller wrote to the one approved tool that it names. Throws NOT_FOUND. */
export function resolveTool(call: Call, catalog: Catalog): CatalogEntry {
  const entry = catalog.resolve(call.request.ref);
  if (entry === undefined) throw toolNotFound(catalog, call.request.ref, call.request.grant);
  return entry;
}
