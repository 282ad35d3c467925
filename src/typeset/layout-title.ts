import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import { lineSlab } from './line-slab.ts';
import { TEXT_COLUMN } from './page.ts';
import type { TextStyle } from './piece.ts';
import type { Slab } from './slab.ts';

const TITLE = { sizePt: 18, leadingPt: 24, gapBelowPt: 8 } as const;
const STYLE: TextStyle = { sizePt: TITLE.sizePt, bold: true, italic: false, code: false };

/** The title as one slab with the space under it. */
export function layoutTitle(title: string, setting: TextSetting): Slab {
  const { leftPt, widthPt } = TEXT_COLUMN;
  const lines = breakLines([{ text: title, style: STYLE }], widthPt, setting).map((line) =>
    lineSlab(line, { leftPt, ...TITLE }),
  );
  return {
    heightPt: lines.length * TITLE.leadingPt + TITLE.gapBelowPt,
    gapPt: 0,
    baselinePt: lines[0]?.baselinePt ?? 0,
    draw: (pen, topPt) => {
      for (const [index, line] of lines.entries()) line.draw(pen, topPt + index * TITLE.leadingPt);
    },
  };
}
