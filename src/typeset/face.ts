import { readFileSync } from 'node:fs';
import { create, type Font, type GlyphRun } from 'fontkit';
import { LRUCache } from 'lru-cache';

/** One font file, opened once a thread. `font` may be given to any number of pdfkit documents. */
export interface Face {
  /** Unique; the name under which it is registered with pdfkit. */
  readonly name: string;
  readonly font: Font;
  readonly canDraw: (codePoint: number) => boolean;
  /** Width of a text in thousandths of the font size, kerning included, as pdfkit will draw it. */
  readonly measure: (text: string) => TextWidth;
}

export interface TextWidth {
  readonly full: number;
  /** Without one trailing space, which may hang over the margin. */
  readonly visible: number;
}

const MAX_SHAPED_WORDS = 20_000;

// Scripts whose letters stand from left to right as fontkit sets them. A font may hold others; they need more than it.
const SETTABLE =
  /[\p{sc=Common}\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Devanagari}\p{sc=Braille}]/u;

/** Reads and parses a font file, and shapes a first word so that no call has to wait for its tables. */
export function openFace(name: string, path: string): Face {
  const plain = create(readFileSync(path));
  const drawable = new Set(
    plain.characterSet.filter((codePoint) => SETTABLE.test(String.fromCodePoint(codePoint))),
  );
  const shape = rememberShapes(plain);
  // pdfkit shapes every word again for every document; through this font it finds them shaped.
  const font: Font = Object.create(plain, { layout: { value: (text: string) => copyOf(shape(text)) } });
  shape('The ');
  return {
    name,
    font,
    canDraw: (codePoint) => drawable.has(codePoint),
    measure: (text) => widthOf(shape(text), text.endsWith(' '), plain.unitsPerEm),
  };
}

function rememberShapes(font: Font): (text: string) => GlyphRun {
  const shapes = new LRUCache<string, GlyphRun>({ max: MAX_SHAPED_WORDS });
  return (text) => {
    const known = shapes.get(text);
    if (known !== undefined) return known;
    const shaped = font.layout(text);
    shapes.set(text, shaped);
    return shaped;
  };
}

/** A run whose positions pdfkit may scale in place, as it does, without spoiling the remembered one. */
function copyOf(run: GlyphRun): GlyphRun {
  const positions = run.positions.map((position) => ({ ...position }));
  return {
    glyphs: run.glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((sum, position) => sum + position.xAdvance, 0);
    },
  };
}

function widthOf(run: GlyphRun, endsInSpace: boolean, unitsPerEm: number): TextWidth {
  const scale = 1000 / unitsPerEm;
  const full = run.advanceWidth * scale;
  const last = run.positions.at(-1);
  return { full, visible: endsInSpace && last ? full - last.xAdvance * scale : full };
}
