import { splitGraphemes } from './graphemes.ts';
import { measurePiece, type Fragment, type Piece } from './piece.ts';

/** What stands on one line, from left to right. Empty for a blank line. */
export type Line = readonly Fragment[];

/** In points, without a trailing space. */
export function lineWidth(line: Line): number {
  const last = line.at(-1);
  const fullPt = line.reduce((sum, { widthPt }) => sum + widthPt, 0);
  return last ? fullPt - last.widthPt + last.visiblePt : 0;
}

/** Fills line after line. */
export interface LineFiller {
  /** Puts a word on this line or the next. False, and at the start of a line, when it is wider than a line. */
  readonly addWord: (word: readonly Piece[]) => boolean;
  /** Puts a part of an over-long word; it follows what stands there, or starts a line, or is cut. */
  readonly addPart: (part: readonly Piece[]) => void;
  /** The lines; at least one. */
  readonly finish: () => Line[];
}

/** Longer stretches are cut before they are shaped, which is not linear; no line holds as many graphemes. */
const MAX_SHAPED_UNITS = 300;

export function createLineFiller(widthPt: number): LineFiller {
  const lines: Line[] = [];
  let line: Fragment[] = [];
  let usedPt = 0;

  const put = (fragment: Fragment): void => {
    line.push(fragment);
    usedPt += fragment.widthPt;
  };
  const newLine = (): void => {
    lines.push(line);
    line = [];
    usedPt = 0;
  };
  const addWord = (word: readonly Piece[]): boolean => {
    const fragments = isShapeable(word) ? word.map(measurePiece) : undefined;
    const wordPt = fragments ? lineWidth(fragments) : Infinity;
    if (usedPt + wordPt > widthPt && line.length > 0) newLine();
    const fits = wordPt <= widthPt;
    if (fits) fragments?.forEach(put);
    return fits;
  };
  const cutPiece = (piece: Piece): void => {
    const units = piece.boxed ?? splitGraphemes(piece.text);
    for (let at = 0; at < units.length;) {
      const fitting = countFitting(piece, units.slice(at, at + MAX_SHAPED_UNITS), widthPt - usedPt);
      const count = fitting === 0 && line.length === 0 ? 1 : fitting;
      if (count > 0) put(joinUnits(piece, units.slice(at, at + count)));
      at += count;
      if (at < units.length) newLine();
    }
  };
  return {
    addWord,
    addPart: (part) => addWord(part) || part.forEach(cutPiece),
    finish: () => (line.length > 0 || lines.length === 0 ? [...lines, line] : lines),
  };
}

function isShapeable(word: readonly Piece[]): boolean {
  return word.reduce((length, { text }) => length + text.length, 0) <= MAX_SHAPED_UNITS;
}

function joinUnits(piece: Piece, units: readonly string[]): Fragment {
  if (piece.boxed === undefined) return measurePiece({ ...piece, text: units.join('') });
  return measurePiece({ ...piece, text: firstCharacter(piece.text).repeat(units.length), boxed: units });
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

/** How many of `units`, from the first on, fit into `roomPt`. */
function countFitting(piece: Piece, units: readonly string[], roomPt: number): number {
  let count = 0;
  for (let sumPt = 0; count < units.length; count += 1) {
    sumPt += joinUnits(piece, units.slice(count, count + 1)).visiblePt;
    if (sumPt > roomPt) break;
  }
  // Kerning may widen a text a little against the sum of its parts.
  while (count > 0 && joinUnits(piece, units.slice(0, count)).visiblePt > roomPt) count -= 1;
  return count;
}
