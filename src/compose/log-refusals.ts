import type { Catalog } from '../catalog/catalog.ts';
import type { Log } from './create-log.ts';

/** One line for each thing that the operator meant to be there and that is not, or that is worth a look. */
export function logRefusals(
  { refusals, deadEntries, findings }: Pick<Catalog, 'refusals' | 'deadEntries' | 'findings'>,
  { policySource, log: { logger } }: { readonly policySource: string; readonly log: Log },
): void {
  for (const { origin, source, ref, reason } of refusals) {
    logger.warn({ origin, source, ref, reason }, 'refused at boot');
  }
  for (const { entry, reason } of deadEntries) {
    logger.warn(
      { origin: 'policy', source: policySource, ref: entry, reason },
      'policy entry without a tool',
    );
  }
  for (const { origin, source, message } of findings) {
    logger.warn({ origin, source, reason: message }, 'finding');
  }
}
