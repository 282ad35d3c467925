import { BrokerError } from '../core/broker-error.ts';
import type { Grant } from '../core/grant.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import type { Catalog } from './catalog.ts';

const MAX_NEAREST = 5;
const MAX_AVAILABLE = 20;

/**
 * The one answer for a tool that is unknown, not approved or not for this caller: nothing in it tells which.
 * It names what the caller may use instead.
 */
export function toolNotFound(catalog: Catalog, ref: string, grant: Grant): BrokerError {
  const names = catalog.list(grant).map((entry) => entry.spec.name);
  const wanted = ref.split('@', 1)[0] ?? '';
  const nearest = nearestNames(wanted, names, MAX_NEAREST);
  const available = names.slice(0, MAX_AVAILABLE).join(', ');
  const more = names.length > MAX_AVAILABLE ? `, … (${names.length} in all)` : ` (${names.length} in all)`;
  return new BrokerError('NOT_FOUND', `There is no tool ${quote(ref)} for you.`, {
    resolution:
      names.length === 0 ? 'No tool is available to you; ask the operator.' : resolve(nearest, wanted),
    expectedFormat: names.length === 0 ? 'none' : `one of: ${available}${more}`,
  });
}

function resolve(nearest: readonly string[], wanted: string): string {
  if (nearest.includes(wanted)) return `Use ${wanted} without a version, or the version that the list names.`;
  return nearest.length === 0
    ? 'Use one of the tools in `expected_format`.'
    : `Did you mean ${nearest.join(', ')}? Otherwise use one of the tools in \`expected_format\`.`;
}
