import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import { cleanProse, splitLines } from './clean-text.ts';
import type { LinesBlock } from './document.ts';
import { lineSlab } from './line-slab.ts';
import { BODY } from './page.ts';
import type { TextStyle } from './piece.ts';
import type { Column, Slab } from './slab.ts';

const STYLE: TextStyle = { sizePt: BODY.sizePt, bold: false, italic: false, code: false };

/** Text as it came, one slab a line. */
export function layoutLines(block: LinesBlock, column: Column, setting: TextSetting): Slab[] {
  const measure = { leftPt: column.leftPt, ...BODY };
  return splitLines(block.text).flatMap((line) =>
    breakLines([{ text: cleanProse(line), style: STYLE }], column.widthPt, setting).map((broken) =>
      lineSlab(broken, measure),
    ),
  );
}
