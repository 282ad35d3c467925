import { readFileSync } from 'node:fs';
import { create, type Font, type Glyph, type GlyphPosition, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';

/** One font file, opened once a thread. `font` may be given to any number of pdfkit documents. */
export interface Face {
  /** Unique; the name under which pdfkit keeps it. */
  readonly name: string;
  readonly font: Font;
  readonly canDraw: (codePoint: number) => boolean;
  readonly shape: (text: string) => ShapedText;
}

/** A text as pdfkit will draw it: shaped and kerned. Widths in thousandths of the font size. */
interface ShapedText {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly GlyphPosition[];
  readonly width: number;
  /** Without one trailing space, which may hang over the margin. */
  readonly visibleWidth: number;
  /** Whether the glyphs, copied out of a PDF, give the text back. */
  readonly isLegible: boolean;
}

const MAX_SHAPED_WORDS = 5_000;

// Scripts whose letters fontkit sets as they are to stand. A font may hold others; they need more than it.
const SETTABLE =
  /[\p{sc=Common}\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Devanagari}\p{sc=Braille}]/u;

const LIGATURES = ['ff', 'fi', 'fl', 'ffi', 'ffl'];

/** Reads and parses a font file, and shapes a first word so that no call has to wait for its tables. */
export function openFace(name: string, path: string): Face {
  const plain = create(readFileSync(path));
  nameGlyphs(plain);
  const drawable = new Set(
    plain.characterSet.filter((codePoint) => SETTABLE.test(String.fromCodePoint(codePoint))),
  );
  const shape = rememberShapes(plain);
  // pdfkit shapes every word again for every document; through this font it finds them shaped.
  const font: Font = Object.create(plain, { layout: { value: (text: string) => runOf(shape(text)) } });
  return { name, font, canDraw: (codePoint) => drawable.has(codePoint), shape };
}

/**
 * Ties each glyph to its code points for good. Otherwise a letter that a subset first needs as a part of another (the c
 * of ç) would have none in every later document, and could not be copied from it.
 */
function nameGlyphs(font: Font): void {
  for (const letters of LIGATURES) font.layout(letters);
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
}

function rememberShapes(font: Font): (text: string) => ShapedText {
  const shapes = new LRUCache<string, ShapedText>({ max: MAX_SHAPED_WORDS });
  return (text) => {
    const known = shapes.get(text);
    if (known !== undefined) return known;
    const shaped = shapeText(font, text);
    shapes.set(text, shaped);
    return shaped;
  };
}

function shapeText(font: Font, text: string): ShapedText {
  const run = font.layout(text);
  const scale = 1000 / font.unitsPerEm;
  const width = run.advanceWidth * scale;
  const last = text.endsWith(' ') ? run.positions.at(-1) : undefined;
  return {
    glyphs: run.glyphs,
    positions: run.positions,
    width,
    visibleWidth: last ? width - last.xAdvance * scale : width,
    isLegible: spellsOut(run.glyphs, text),
  };
}

function spellsOut(glyphs: readonly Glyph[], text: string): boolean {
  let at = 0;
  for (const { codePoints } of glyphs) {
    for (const codePoint of codePoints) {
      if (text.codePointAt(at) !== codePoint) return false;
      at += codePoint > 0xffff ? 2 : 1;
    }
  }
  return at === text.length;
}

/** A run whose positions pdfkit may scale in place, as it does, without spoiling the remembered one. */
function runOf(shaped: ShapedText): GlyphRun {
  const positions = shaped.positions.map((position) => ({ ...position }));
  return {
    glyphs: shaped.glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((sum, position) => sum + position.xAdvance, 0);
    },
  };
}
