import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import { cleanLine, splitLines } from './clean-text.ts';
import type { CodeBlock } from './document.ts';
import { lineSlab } from './line-slab.ts';
import { COLORS } from './page.ts';
import type { TextStyle } from './piece.ts';
import { tieEnds, type Column, type Slab } from './slab.ts';

const STYLE: TextStyle = { sizePt: 9, bold: false, italic: false, code: true };
const LEADING_PT = 13;
const PADDING_PT = 8;
const TAB_WIDTH = 4;
/** Tinted strips overlap by this, so that no seam shows between them. */
const OVERLAP_PT = 0.5;

/** A tinted box with one slab a line; it may run over pages. */
export function layoutCode(block: CodeBlock, column: Column, setting: TextSetting): Slab[] {
  const lines = splitLines(block.text).flatMap((line) =>
    breakLines(
      [{ text: cleanLine(expandTabs(line)), style: STYLE }],
      column.widthPt - 2 * PADDING_PT,
      setting,
    ),
  );
  const slabs = lines.map((line, index) => {
    const text = lineSlab(line, {
      leftPt: column.leftPt + PADDING_PT,
      leadingPt: LEADING_PT,
      sizePt: STYLE.sizePt,
    });
    const isLast = index === lines.length - 1;
    return padSlab(text, column, { abovePt: index === 0 ? PADDING_PT : 0, belowPt: isLast ? PADDING_PT : 0 });
  });
  return tieEnds(slabs);
}

function padSlab(
  slab: Slab,
  column: Column,
  { abovePt, belowPt }: { abovePt: number; belowPt: number },
): Slab {
  const heightPt = abovePt + slab.heightPt + belowPt;
  return {
    heightPt,
    gapPt: 0,
    baselinePt: abovePt + slab.baselinePt,
    draw: (pen, topPt) => {
      const tintPt = belowPt > 0 ? heightPt : heightPt + OVERLAP_PT;
      pen.tint({ ...column, topPt, heightPt: tintPt }, COLORS.tint);
      slab.draw(pen, topPt + abovePt);
    },
  };
}

function expandTabs(line: string): string {
  let column = 0;
  return line.replaceAll(/\t|[^\t]+/gu, (part) => {
    const shown = part === '\t' ? ' '.repeat(TAB_WIDTH - (column % TAB_WIDTH)) : part;
    column += Array.from(shown).length;
    return shown;
  });
}
