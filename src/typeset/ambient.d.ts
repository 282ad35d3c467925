// The parts of two untyped packages that this room uses.

declare module 'fontkit' {
  /** Font units; fontkit makes them afresh for each run, and pdfkit scales them in place. */
  export interface GlyphPosition {
    xAdvance: number;
    yAdvance: number;
    xOffset: number;
    yOffset: number;
  }

  /** One object a glyph and font; it keeps the code points that it was first asked for with. */
  export interface Glyph {
    readonly id: number;
    readonly advanceWidth: number;
    readonly codePoints: readonly number[];
  }

  export interface GlyphRun {
    readonly glyphs: readonly Glyph[];
    readonly positions: readonly GlyphPosition[];
    readonly advanceWidth: number;
  }

  export interface Font {
    readonly unitsPerEm: number;
    /** Code points with a glyph. */
    readonly characterSet: readonly number[];
    layout(text: string): GlyphRun;
    glyphForCodePoint(codePoint: number): Glyph;
  }

  export function create(bytes: Uint8Array): Font;
}

declare module 'linebreak' {
  /** UAX 14. `position` is a UTF-16 index; `required` marks a hard break. */
  class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
  export = LineBreaker;
}
