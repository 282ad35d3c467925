import type { Face } from './face.ts';
import type { FaceStyle } from './faces.ts';

export interface TextStyle extends FaceStyle {
  readonly sizePt: number;
  readonly strike?: boolean;
  readonly link?: string;
  /** `#rrggbb`; default: the text colour. */
  readonly color?: string;
  /** Colour behind the letters; default: none. */
  readonly background?: string;
}

/** Text in one style, before any face was chosen. */
export interface StyledText {
  readonly text: string;
  readonly style: TextStyle;
}

/** Text that one face draws at one go. */
export interface Piece {
  readonly text: string;
  readonly face: Face;
  readonly style: TextStyle;
  /** The characters that the boxes in `text` stand for, one a box; absent: `text` is what is meant. */
  readonly boxed?: readonly string[] | undefined;
}

/** A piece with its width. */
export interface Fragment extends Piece {
  readonly widthPt: number;
  /** Without a trailing space, which may hang over the margin. */
  readonly visiblePt: number;
  /** Whether the glyphs alone give the text back when it is copied. */
  readonly isLegible: boolean;
}

export function measurePiece(piece: Piece): Fragment {
  const { text, face, style, boxed } = piece;
  const { width, visibleWidth, isLegible } = face.shape(text);
  const scale = style.sizePt / 1000;
  // Spelled out, because spreading it for every word takes a third of the time of a document.
  return { text, face, style, boxed, widthPt: width * scale, visiblePt: visibleWidth * scale, isLegible };
}
