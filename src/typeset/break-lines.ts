import { chooseFaces, type TextSetting } from './choose-faces.ts';
import { createLineFiller, type Line } from './line-filler.ts';
import type { StyledText } from './piece.ts';
import { findBreaks, findWordEnds, splitTexts } from './split-texts.ts';

/**
 * Breaks one paragraph into lines that are at most `widthPt` wide, at its spaces only: a break after a hyphen would
 * lose the hyphen when the text is copied. A word wider than a line is broken where UAX 14 allows it, and where that
 * does not help, between graphemes. A single grapheme wider than a line stands alone and crosses the margin.
 */
export function breakLines(texts: readonly StyledText[], widthPt: number, setting: TextSetting): Line[] {
  const filler = createLineFiller(widthPt);
  for (const word of splitTexts(texts, findWordEnds)) {
    const pieces = word.flatMap((text) => chooseFaces(text, setting));
    if (filler.addWord(pieces)) continue;
    for (const part of splitTexts(pieces, findBreaks)) filler.addPart(part);
  }
  return filler.finish();
}
