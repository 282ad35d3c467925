import type { Face } from './face.ts';
import type { Chain, Faces } from './faces.ts';
import { splitGraphemes } from './graphemes.ts';
import type { Piece, StyledText, TextStyle } from './piece.ts';
import type { UndrawnTally } from './undrawn.ts';

/** What it takes to set text: the faces, and where to note what they cannot draw. */
export interface TextSetting {
  readonly faces: Faces;
  readonly undrawn: UndrawnTally;
}

/** In no font, so that it comes out as the font's box for a missing glyph. */
const BOX = '\u{10FFFD}';
const ASCII = /^[ -~]*$/u;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Cuts a text into pieces that one face each can draw. A character that no face has becomes a box, one for each
 * grapheme, and every code point behind it that no face has is noted in `undrawn`. Invisible characters are dropped.
 */
export function chooseFaces({ text, style }: StyledText, setting: TextSetting): Piece[] {
  const chain = setting.faces.chain(style);
  const [face] = chain;
  if (ASCII.test(text) || (text.search(IGNORABLE) < 0 && canDrawAll(face, text)))
    return [{ text, face, style }];
  const { undrawn } = setting;
  return joinPieces(
    splitGraphemes(text).flatMap((grapheme) => setGrapheme(grapheme, { chain, style, undrawn })),
  );
}

interface GraphemeSetting {
  readonly chain: Chain;
  readonly style: TextStyle;
  readonly undrawn: UndrawnTally;
}

function setGrapheme(grapheme: string, setting: GraphemeSetting): Piece[] {
  const { chain, style, undrawn } = setting;
  const faceFor = (text: string): Face | undefined => chain.find((face) => canDrawAll(face, text));
  const visible = grapheme.replaceAll(IGNORABLE, '');
  if (visible === '') return [];
  const face = faceFor(visible);
  if (face) return [{ text: visible, face, style }];
  const points = Array.from(visible);
  const [base = ''] = points;
  if (points.length > 1 && faceFor(base)) return points.flatMap((point) => setGrapheme(point, setting));
  for (const point of points) if (!faceFor(point)) undrawn.add(point.codePointAt(0) ?? 0);
  return [{ text: BOX, face: chain[0], style, boxed: [grapheme] }];
}

function canDrawAll(face: Face, text: string): boolean {
  for (const character of text) if (!face.canDraw(character.codePointAt(0) ?? 0)) return false;
  return true;
}

/** Neighbours that one face draws become one piece. */
function joinPieces(pieces: readonly Piece[]): Piece[] {
  const groups: [Piece, ...Piece[]][] = [];
  for (const piece of pieces) {
    const group = groups.at(-1);
    if (group && group[0].face === piece.face && isBox(group[0]) === isBox(piece)) group.push(piece);
    else groups.push([piece]);
  }
  return groups.map(joinGroup);
}

function joinGroup(group: readonly [Piece, ...Piece[]]): Piece {
  const joined = { ...group[0], text: group.map(({ text }) => text).join('') };
  return isBox(joined) ? { ...joined, boxed: group.flatMap(({ boxed }) => boxed ?? []) } : joined;
}

function isBox(piece: Piece): boolean {
  return piece.boxed !== undefined;
}
