import { COLORS } from './page.ts';
import type { Column, Slab } from './slab.ts';

const HEIGHT_PT = 4;
const WIDTH_PT = 0.75;

/** A thin line over the whole column. */
export function layoutRule({ leftPt, widthPt }: Column): Slab[] {
  const draw: Slab['draw'] = (pen, topPt) => {
    const y = topPt + HEIGHT_PT / 2;
    pen.rule({ fromPt: [leftPt, y], toPt: [leftPt + widthPt, y], widthPt: WIDTH_PT, color: COLORS.rule });
  };
  return [{ heightPt: HEIGHT_PT, gapPt: 0, baselinePt: HEIGHT_PT, draw }];
}
