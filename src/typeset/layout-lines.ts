import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import { cleanProse, splitLines } from './clean-text.ts';
import type { LinesBlock } from './document.ts';
import type { Line } from './line-filler.ts';
import { baselineIn, BODY, PAGE, TEXT_WIDTH_PT } from './page.ts';
import type { TextStyle } from './piece.ts';
import type { Slab } from './slab.ts';

const STYLE: TextStyle = { sizePt: BODY.sizePt, bold: false, italic: false, code: false };
const BASELINE_PT = baselineIn(BODY.leadingPt, BODY.sizePt);

/** Text as it came, one slab a line. */
export function layoutLines(block: LinesBlock, setting: TextSetting): Slab[] {
  return splitLines(block.text).flatMap((line) =>
    breakLines([{ text: cleanProse(line), style: STYLE }], TEXT_WIDTH_PT, setting).map(toSlab),
  );
}

function toSlab(line: Line): Slab {
  return {
    heightPt: BODY.leadingPt,
    gapPt: 0,
    draw: (pen, topPt) => {
      pen.line(line, { leftPt: PAGE.marginPt, baselinePt: topPt + BASELINE_PT });
    },
  };
}
