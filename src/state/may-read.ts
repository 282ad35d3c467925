import type { Owner } from '../core/caller.ts';

/** A caller reads what it and its runs own; a run reads what is its own. */
export function mayRead(reader: Owner, owner: Owner): boolean {
  return reader.caller === owner.caller && (reader.run === undefined || reader.run === owner.run);
}
