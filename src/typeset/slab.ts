import type { Pen } from './pen.ts';

/** A strip of a column that is never torn: a line, a table row, a rule. Blocks become slabs, slabs fill pages. */
export interface Slab {
  readonly heightPt: number;
  /** Space above, left out at the top of a page. */
  readonly gapPt: number;
  /** Of its first line, from its top; a list's marker stands on it. */
  readonly baselinePt: number;
  /** Stays on one page with the slab after it. */
  readonly keepWithNext?: boolean;
  /** Drawn first when this slab opens a new page. */
  readonly repeated?: Slab;
  /** `topPt` is measured from the top of the page. */
  readonly draw: (pen: Pen, topPt: number) => void;
}

/** Where blocks are set. */
export interface Column {
  readonly leftPt: number;
  readonly widthPt: number;
}

/** The same slabs with another space above the first. */
export function withGap(slabs: readonly Slab[], gapPt: number): Slab[] {
  return slabs.map((slab, index) => (index === 0 ? Object.assign({}, slab, { gapPt }) : slab));
}

/** The same slabs, of which neither the first nor the last stands alone on a page. */
export function tieEnds(slabs: readonly Slab[]): Slab[] {
  const isTied = (index: number): boolean => index === 0 || index === slabs.length - 2;
  return slabs.map((slab, index) =>
    slabs.length > 1 && isTied(index) ? Object.assign({}, slab, { keepWithNext: true }) : slab,
  );
}

/** The same slab with something else drawn under it. */
export function drawUnder(slab: Slab, draw: Slab['draw']): Slab {
  return {
    ...slab,
    draw: (pen, topPt) => {
      draw(pen, topPt);
      slab.draw(pen, topPt);
    },
  };
}
