import type { TextSetting } from './choose-faces.ts';
import { cleanProse } from './clean-text.ts';
import type { HeadingBlock } from './document.ts';
import { layoutParagraph } from './layout-paragraph.ts';
import { COLORS } from './page.ts';
import { drawUnder, type Column, type Slab } from './slab.ts';

const SIZES_PT = { 1: 15.5, 2: 13, 3: 11.5, 4: 11, 5: 11, 6: 11 } as const;
export const HEADING_GAPS_PT = { 1: 20, 2: 16, 3: 14, 4: 12, 5: 10, 6: 10 } as const;

/** A heading stays with what follows it, and has an entry in the outline. */
export function layoutHeading(block: HeadingBlock, column: Column, setting: TextSetting): Slab[] {
  const { level, runs } = block;
  const sizePt = SIZES_PT[level];
  const style = {
    text: {
      sizePt,
      bold: true,
      italic: level === 5,
      code: false,
      ...(level === 6 ? { color: COLORS.muted } : {}),
    },
    leadingPt: Math.round(sizePt * 1.35),
  };
  const title = cleanProse(runs.map(({ text }) => text).join(''));
  return layoutParagraph(runs, { column, style }, setting).map((slab, index) => {
    const kept = Object.assign({}, slab, { keepWithNext: true });
    return index === 0 ? drawUnder(kept, (pen) => pen.outline(level, title)) : kept;
  });
}
