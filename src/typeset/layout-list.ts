import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import type { Block, ListBlock } from './document.ts';
import type { BlockLayout } from './layout-blocks.ts';
import { largest } from './largest.ts';
import { lineWidth, type Line } from './line-filler.ts';
import { BODY, baselineIn } from './page.ts';
import type { TextStyle } from './piece.ts';
import { drawUnder, withGap, type Column, type Slab } from './slab.ts';

const STYLE: TextStyle = { sizePt: BODY.sizePt, bold: false, italic: false, code: false };
const BULLETS = ['•', '–', '▪'] as const;
const BULLET_INDENT_PT = 16;
const NUMBER_GAP_PT = 6;
const TIGHT_GAP_PT = 3;
const LOOSE_GAP_PT = 8;
/** Below this the text is not moved in any further. */
const MIN_WIDTH_PT = 140;

/** Items with their markers in a column of their own; numbers stand right-aligned in it. */
export function layoutList(block: ListBlock, layout: BlockLayout, setting: TextSetting): Slab[] {
  const markers = block.items.map((_item, index) => setMarker(block, index, { layout, setting }));
  const widestPt = largest(markers.map(lineWidth));
  const wantedPt = block.ordered ? Math.max(BULLET_INDENT_PT, widestPt + NUMBER_GAP_PT) : BULLET_INDENT_PT;
  const { leftPt, widthPt } = layout.column;
  const indentPt = widthPt - wantedPt < MIN_WIDTH_PT ? 0 : wantedPt;
  const column: Column = { leftPt: leftPt + indentPt, widthPt: widthPt - indentPt };
  const gapPt = block.items.every(isTight) ? TIGHT_GAP_PT : LOOSE_GAP_PT;
  return block.items.flatMap((item, index) => {
    const slabs = layout.blocks(item, { column, listDepth: layout.listDepth + 1 });
    const marker = markers[index] ?? [];
    const markerPt =
      indentPt === 0
        ? leftPt - lineWidth(marker) - NUMBER_GAP_PT
        : column.leftPt - NUMBER_GAP_PT - lineWidth(marker);
    return markFirst(
      withGap(slabs.length > 0 ? slabs : [emptySlab()], index === 0 ? 0 : gapPt),
      marker,
      markerPt,
    );
  });
}

function setMarker(
  block: ListBlock,
  index: number,
  { layout, setting }: { layout: BlockLayout; setting: TextSetting },
): Line {
  const bullet = BULLETS[layout.listDepth % BULLETS.length] ?? '•';
  const text = block.ordered ? `${(block.start ?? 1) + index}.` : bullet;
  return breakLines([{ text, style: STYLE }], Infinity, setting)[0] ?? [];
}

/** Whether an item is one paragraph, with at most lists under it. */
function isTight(item: readonly Block[]): boolean {
  return item.slice(1).every(({ kind }) => kind === 'list');
}

function emptySlab(): Slab {
  const baselinePt = baselineIn(BODY.leadingPt, BODY.sizePt);
  return { heightPt: BODY.leadingPt, gapPt: 0, baselinePt, draw: () => undefined };
}

function markFirst(slabs: readonly Slab[], marker: Line, leftPt: number): Slab[] {
  return slabs.map((slab, index) =>
    index === 0
      ? drawUnder(slab, (pen, topPt) => pen.line(marker, { leftPt, baselinePt: topPt + slab.baselinePt }))
      : slab,
  );
}
