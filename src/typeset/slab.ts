import type { Pen } from './pen.ts';

/** A strip of the page that is never torn: a line, a table row, a rule. Blocks become slabs, slabs fill pages. */
export interface Slab {
  readonly heightPt: number;
  /** Space above, left out at the top of a page. */
  readonly gapPt: number;
  /** Stays on one page with the slab after it. */
  readonly keepWithNext?: boolean;
  /** Drawn first when this slab opens a new page. */
  readonly repeated?: Slab;
  /** `topPt` is measured from the top of the page. */
  readonly draw: (pen: Pen, topPt: number) => void;
}
