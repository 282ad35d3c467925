import type { QuoteBlock } from './document.ts';
import type { BlockLayout } from './layout-blocks.ts';
import { COLORS } from './page.ts';
import { drawUnder, type Slab } from './slab.ts';

const INDENT_PT = 14;
const BAR_PT = 2.5;
const MIN_WIDTH_PT = 140;

/** Blocks moved in, with a bar at their left. */
export function layoutQuote(block: QuoteBlock, layout: BlockLayout): Slab[] {
  const { leftPt, widthPt } = layout.column;
  const indentPt = widthPt - INDENT_PT < MIN_WIDTH_PT ? 0 : INDENT_PT;
  const column = { leftPt: leftPt + indentPt, widthPt: widthPt - indentPt };
  return layout.blocks(block.blocks, { column, listDepth: 0 }).map((slab, index) => {
    const joined = index === 0 ? slab : takeInGap(slab);
    return drawUnder(joined, (pen, topPt) => {
      pen.tint({ leftPt, topPt, widthPt: BAR_PT, heightPt: joined.heightPt }, COLORS.rule);
    });
  });
}

/** The gap as a part of the slab, so that the bar beside it has no holes. */
function takeInGap(slab: Slab): Slab {
  return {
    ...slab,
    gapPt: 0,
    heightPt: slab.heightPt + slab.gapPt,
    baselinePt: slab.baselinePt + slab.gapPt,
    draw: (pen, topPt) => slab.draw(pen, topPt + slab.gapPt),
  };
}
