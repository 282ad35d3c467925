import { breakLines } from './break-lines.ts';
import { shareWidth, type ColumnNeed } from './column-widths.ts';
import type { TextSetting } from './choose-faces.ts';
import { largest } from './largest.ts';
import type { Alignment, TableBlock, TableCell } from './document.ts';
import { lineWidth, type Line } from './line-filler.ts';
import { COLORS } from './page.ts';
import type { TextStyle } from './piece.ts';
import type { Column, Slab } from './slab.ts';
import { tableRow, type CellBox } from './table-row.ts';
import { splitTexts, findWordEnds } from './split-texts.ts';
import { styleRuns } from './style-runs.ts';
import { createUndrawnTally } from './undrawn.ts';

const STYLE: TextStyle = { sizePt: 10, bold: false, italic: false, code: false };
const HEADER_STYLE: TextStyle = { ...STYLE, bold: true };
const PADDING_PT = 6;
/** A row of more lines is torn into several; a header of more is not repeated. */
const MAX_ROW_LINES = 20;

/** A table as wide as its column. Cells wrap; the header stands again on every page that the table reaches. */
export function layoutTable(block: TableBlock, column: Column, setting: TextSetting): Slab[] {
  const count = Math.max(block.header.length, largest(block.rows.map((row) => row.length)));
  if (count === 0) return [];
  const boxes = placeColumns(block, { column, count }, setting);
  const set = (cells: readonly TableCell[], style: TextStyle): Line[][][] =>
    tearRow(
      boxes.map((box, index) => breakCell(cells[index] ?? [], { style, widthPt: box.widthPt }, setting)),
    );
  const rows = block.rows.flatMap((row) => {
    const parts = set(row, STYLE);
    return parts.map((lines, index) =>
      tableRow(lines, { boxes, column, ...(index === parts.length - 1 ? { rule: COLORS.rule } : {}) }),
    );
  });
  const isHeadless = block.header.every((cell) => cell.every(({ text }) => text.trim() === ''));
  if (isHeadless) return rows;
  const header = set(block.header, HEADER_STYLE).map((lines) =>
    Object.assign(tableRow(lines, { boxes, column, rule: COLORS.strongRule, tint: COLORS.tint }), {
      keepWithNext: true,
    }),
  );
  const [repeated] = header;
  if (repeated === undefined || header.length > 1) return [...header, ...rows];
  return [repeated, ...rows.map((row, index) => (index === 0 ? row : Object.assign(row, { repeated })))];
}

function placeColumns(
  block: TableBlock,
  { column, count }: { column: Column; count: number },
  setting: TextSetting,
): CellBox[] {
  const paddingPt = Math.min(PADDING_PT, column.widthPt / count / 8);
  // Measured apart, so that nothing undrawn is counted twice.
  const apart = { faces: setting.faces, undrawn: createUndrawnTally() };
  const needs = Array.from({ length: count }, (_, index) =>
    mergeNeeds([
      needOf(block.header[index] ?? [], HEADER_STYLE, apart),
      ...block.rows.map((row) => needOf(row[index] ?? [], STYLE, apart)),
    ]),
  );
  let leftPt = column.leftPt;
  return shareWidth(needs, column.widthPt - 2 * paddingPt * count).map((widthPt, index): CellBox => {
    const align: Alignment = block.align?.[index] ?? 'left';
    const box = { leftPt: leftPt + paddingPt, widthPt, align };
    leftPt += widthPt + 2 * paddingPt;
    return box;
  });
}

function needOf(cell: TableCell, style: TextStyle, setting: TextSetting): ColumnNeed {
  const widest = (lines: readonly Line[]): number => largest(lines.map(lineWidth));
  const texts = styleRuns(cell, style);
  return {
    wishedPt: widest(texts.flatMap((line) => breakLines(line, Infinity, setting))),
    leastPt: widest(
      texts.flatMap((line) =>
        [...splitTexts(line, findWordEnds)].flatMap((word) => breakLines(word, Infinity, setting)),
      ),
    ),
  };
}

function mergeNeeds(needs: readonly ColumnNeed[]): ColumnNeed {
  return {
    leastPt: largest(needs.map(({ leastPt }) => leastPt)),
    wishedPt: largest(needs.map(({ wishedPt }) => wishedPt)),
  };
}

function breakCell(
  cell: TableCell,
  { style, widthPt }: { style: TextStyle; widthPt: number },
  setting: TextSetting,
): Line[] {
  return styleRuns(cell, style).flatMap((texts) => breakLines(texts, widthPt, setting));
}

/** The lines of a row's cells, in parts that are low enough for a page. */
function tearRow(cells: readonly Line[][]): Line[][][] {
  const height = Math.max(1, largest(cells.map((lines) => lines.length)));
  return Array.from({ length: Math.ceil(height / MAX_ROW_LINES) }, (_, part) =>
    cells.map((lines) => lines.slice(part * MAX_ROW_LINES, (part + 1) * MAX_ROW_LINES)),
  );
}
