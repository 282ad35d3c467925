import type { Patience } from './link.ts';

/**
 * For the steps that come after a tool ran: what it did cannot be undone, so a store that is away for a moment must
 * not cost its answer.
 */
export const AFTERWARDS: Patience = { patienceMs: 8_000 };
