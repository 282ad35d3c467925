import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import { baselineIn, PAGE, TEXT_WIDTH_PT, TITLE } from './page.ts';
import type { TextStyle } from './piece.ts';
import type { Slab } from './slab.ts';

const STYLE: TextStyle = { sizePt: TITLE.sizePt, bold: true, italic: false, code: false };

/** The title as one slab with the space under it. */
export function layoutTitle(title: string, setting: TextSetting): Slab {
  const lines = breakLines([{ text: title, style: STYLE }], TEXT_WIDTH_PT, setting);
  return {
    heightPt: lines.length * TITLE.leadingPt + TITLE.gapBelowPt,
    gapPt: 0,
    draw: (pen, topPt) => {
      for (const [index, line] of lines.entries()) {
        const baselinePt = topPt + index * TITLE.leadingPt + baselineIn(TITLE.leadingPt, TITLE.sizePt);
        pen.line(line, { leftPt: PAGE.marginPt, baselinePt });
      }
    },
  };
}
