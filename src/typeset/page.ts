/** A4 portrait, in points; the figures of seed 1. */
export const PAGE = { widthPt: 595, heightPt: 842, marginPt: 56 } as const;

/** What lies between the left and the right margin. */
export const TEXT_WIDTH_PT = PAGE.widthPt - 2 * PAGE.marginPt;

export const BODY = { sizePt: 11, leadingPt: 16 } as const;

export const TITLE = { sizePt: 18, leadingPt: 24, gapBelowPt: 8 } as const;

/** Height for text on a page: 43 lines of body, and what is left under them, which the title may use up on page 1. */
export const TEXT_HEIGHT_PT = 43 * BODY.leadingPt;
export const FULL_HEIGHT_PT = PAGE.heightPt - 2 * PAGE.marginPt;

/** Where a line's baseline stands in its strip: the letters' middle is the strip's middle. */
export function baselineIn(leadingPt: number, sizePt: number): number {
  return (leadingPt + sizePt * 0.72) / 2;
}
