import { breakLines } from './break-lines.ts';
import type { TextSetting } from './choose-faces.ts';
import type { Run } from './document.ts';
import { lineSlab } from './line-slab.ts';
import type { TextStyle } from './piece.ts';
import { tieEnds, type Column, type Slab } from './slab.ts';
import { styleRuns } from './style-runs.ts';

export interface ParagraphStyle {
  readonly text: TextStyle;
  readonly leadingPt: number;
}

/** Runs as lines; neither the first nor the last line of a paragraph stands alone on a page. */
export function layoutParagraph(
  runs: readonly Run[],
  { column, style }: { column: Column; style: ParagraphStyle },
  setting: TextSetting,
): Slab[] {
  const measure = { leftPt: column.leftPt, leadingPt: style.leadingPt, sizePt: style.text.sizePt };
  const slabs = styleRuns(runs, style.text)
    .flatMap((texts) => breakLines(texts, column.widthPt, setting))
    .map((line) => lineSlab(line, measure));
  return tieEnds(slabs);
}
