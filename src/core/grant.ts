import type { Shelf } from './shelf.ts';

/**
 * What one credential may do, worked out once when it was presented. Every layer can only take away:
 * a tool is allowed when it is in `approved` and in each other layer that is present. An empty set is nothing.
 * The sets hold refs (`name@version`).
 */
export interface Grant {
  readonly approved: ReadonlySet<string>;
  /** The subset that the policy gives this caller. */
  readonly caller?: ReadonlySet<string>;
  /** The profile's tools. */
  readonly profile?: ReadonlySet<string>;
  /** The tools that the run was started with. */
  readonly run?: ReadonlySet<string>;
  /** The methodology skills to read; absent: none. */
  readonly shelf?: Shelf;
}
