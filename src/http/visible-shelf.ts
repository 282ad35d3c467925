import type { Catalog } from '../catalog/catalog.ts';
import { BrokerError } from '../core/broker-error.ts';
import type { Grant } from '../core/grant.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import { EMPTY_SHELF, type Shelf } from '../core/shelf.ts';

const READ_SKILL = 'read_skill';
const MAX_LISTED = 20;

/** The shelf as far as this caller may know of it: with `read_skill` allowed, and something on it; else an empty one. */
export function visibleShelf(catalog: Catalog, grant: Grant): Shelf {
  return catalog.find(READ_SKILL, grant) === undefined ? EMPTY_SHELF : (grant.shelf ?? EMPTY_SHELF);
}

/** The one answer for a skill or a file of a skill that is not there for this caller. It names what is. */
export function notOnShelf(what: string, wanted: string, known: readonly string[]): BrokerError {
  const near = nearestNames(wanted, known, 5);
  const listed = known.slice(0, MAX_LISTED).join(', ');
  const resolution =
    near.length > 0
      ? `Did you mean ${near.join(', ')}?`
      : `Use one of the names in \`expected_format\`, if there are any.`;
  return new BrokerError('NOT_FOUND', `There is no ${what} ${quote(wanted)} for you.`, {
    resolution,
    expectedFormat: known.length === 0 ? 'none' : `one of: ${listed} (${known.length} in all)`,
  });
}
