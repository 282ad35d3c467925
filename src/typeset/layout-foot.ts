import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import { lineWidth } from './line-filler.ts';
import { lineSlab } from './line-slab.ts';
import { COLORS, PAGE } from './page.ts';
import type { TextStyle } from './piece.ts';
import type { Slab } from './slab.ts';

const STYLE: TextStyle = { sizePt: 9, bold: false, italic: false, code: false, color: COLORS.muted };
const LEADING_PT = 12;
export const FOOT_TOP_PT = PAGE.heightPt - PAGE.marginPt / 2 - LEADING_PT;

/** `2 / 5`, in the middle of the foot. `index` counts from 0. */
export function layoutFoot(index: number, count: number, setting: TextSetting): Slab {
  const [line = []] = breakLines([{ text: `${index + 1} / ${count}`, style: STYLE }], Infinity, setting);
  return lineSlab(line, {
    leftPt: (PAGE.widthPt - lineWidth(line)) / 2,
    leadingPt: LEADING_PT,
    sizePt: STYLE.sizePt,
  });
}
