import type { Line } from './line-filler.ts';
import { baselineIn } from './page.ts';
import type { Slab } from './slab.ts';

export interface LineMeasure {
  readonly leftPt: number;
  readonly leadingPt: number;
  readonly sizePt: number;
}

/** One line of text as a slab without a gap. */
export function lineSlab(line: Line, { leftPt, leadingPt, sizePt }: LineMeasure): Slab {
  const baselinePt = baselineIn(leadingPt, sizePt);
  return {
    heightPt: leadingPt,
    gapPt: 0,
    baselinePt,
    draw: (pen, topPt) => pen.line(line, { leftPt, baselinePt: topPt + baselinePt }),
  };
}
