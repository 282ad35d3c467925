import type { Alignment } from './document.ts';
import { largest } from './largest.ts';
import { lineWidth, type Line } from './line-filler.ts';
import { baselineIn } from './page.ts';
import type { Pen } from './pen.ts';
import type { Column, Slab } from './slab.ts';

/** Where the text of a column's cells stands, padding left out. */
export interface CellBox extends Column {
  readonly align: Alignment;
}

export interface RowLook {
  readonly boxes: readonly CellBox[];
  readonly column: Column;
  /** Colour of the line under the row; absent: none. */
  readonly rule?: string;
  /** Colour behind the row; absent: none. */
  readonly tint?: string;
}

const SIZE_PT = 10;
const LEADING_PT = 14;
const PADDING_PT = 4;
const RULE_PT = 0.6;
const BASELINE_PT = baselineIn(LEADING_PT, SIZE_PT);

/** One row, the lines of its cells side by side. */
export function tableRow(cells: readonly (readonly Line[])[], { boxes, column, rule, tint }: RowLook): Slab {
  const lineCount = Math.max(1, largest(cells.map((lines) => lines.length)));
  const heightPt = lineCount * LEADING_PT + 2 * PADDING_PT;
  return {
    heightPt,
    gapPt: 0,
    baselinePt: PADDING_PT + BASELINE_PT,
    draw: (pen, topPt) => {
      if (tint !== undefined) pen.tint({ ...column, topPt, heightPt }, tint);
      for (const [index, box] of boxes.entries()) drawCell(pen, { lines: cells[index] ?? [], box, topPt });
      if (rule === undefined) return;
      const y = topPt + heightPt;
      pen.rule({
        fromPt: [column.leftPt, y],
        toPt: [column.leftPt + column.widthPt, y],
        widthPt: RULE_PT,
        color: rule,
      });
    },
  };
}

function drawCell(
  pen: Pen,
  { lines, box, topPt }: { lines: readonly Line[]; box: CellBox; topPt: number },
): void {
  for (const [index, line] of lines.entries()) {
    const roomPt = box.widthPt - lineWidth(line);
    const shiftPt = { left: 0, center: roomPt / 2, right: roomPt }[box.align];
    const baselinePt = topPt + PADDING_PT + index * LEADING_PT + BASELINE_PT;
    pen.line(line, { leftPt: box.leftPt + shiftPt, baselinePt });
  }
}
