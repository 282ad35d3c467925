/** A4 portrait, in points; the figures of seed 1. */
export const PAGE = { widthPt: 595, heightPt: 842, marginPt: 56 } as const;

/** Between the left and the right margin. */
export const TEXT_COLUMN = { leftPt: PAGE.marginPt, widthPt: PAGE.widthPt - 2 * PAGE.marginPt } as const;

export const BODY = { sizePt: 11, leadingPt: 16 } as const;

/** Height for text on a page: 43 lines of body, and what is left under them, which the title may use up on page 1. */
export const TEXT_HEIGHT_PT = 43 * BODY.leadingPt;
export const FULL_HEIGHT_PT = PAGE.heightPt - 2 * PAGE.marginPt;

export const COLORS = {
  text: '#000000',
  muted: '#57606a',
  link: '#0b57d0',
  rule: '#d0d7de',
  strongRule: '#57606a',
  tint: '#f3f4f6',
} as const;

/** Where a line's baseline stands in its strip: the middle of its capitals is the middle of the strip. */
export function baselineIn(leadingPt: number, sizePt: number): number {
  return (leadingPt + sizePt * 0.72) / 2;
}
