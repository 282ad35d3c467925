import type PdfKit from 'pdfkit';
import type { GlyphPosition } from 'fontkit';
import { PAGE } from './page.ts';
import type { Fragment } from './piece.ts';

type Pdf = InstanceType<typeof PdfKit>;

/** What pdfkit has of a font inside one document; its types leave it out. Held to pdfkit 0.20 by the tests. */
interface EmbeddedFont {
  readonly id: string;
  /** Glyphs of the subset as four hex digits each, and where they stand, in thousandths of the size. */
  readonly encode: (text: string) => [readonly string[], readonly PlacedGlyph[]];
  readonly ref: () => unknown;
}

type PlacedGlyph = GlyphPosition & { readonly advanceWidth: number };

const UNMOVED: PlacedGlyph = { xAdvance: 0, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: 0 };

interface PdfState {
  readonly _font: EmbeddedFont;
  readonly page: { readonly fonts: Record<string, unknown> };
}

const LONE_SURROGATE = /\p{Cs}/gu;

/**
 * Writes a fragment with its baseline at these points from the top left. Where its glyphs do not give the text back, it
 * says what to copy instead. pdfkit's own `text` cannot: readers place that text by the matrix and font in force at the
 * end of the marked stretch, which it has put away by then.
 */
export function writeText(
  pdf: Pdf,
  fragment: Fragment,
  [leftPt, baselinePt]: readonly [number, number],
): void {
  const text = fragment.text.trimEnd();
  if (text === '') return;
  const { style } = fragment;
  const font = selectFont(pdf, fragment);
  const meant = fragment.boxed?.join('') ?? (fragment.isLegible ? undefined : text);
  const at = { x: leftPt, y: PAGE.heightPt - baselinePt, sizePt: style.sizePt };
  pdf
    .save()
    .fillColor(style.color ?? '#000000')
    .transform(1, 0, 0, -1, 0, PAGE.heightPt);
  const [glyphs, positions] = font.encode(text);
  pdf.addContent(
    [
      'BT',
      `/${font.id} ${style.sizePt} Tf`,
      ...(meant === undefined ? [] : [`/Span <</ActualText <${utf16Hex(meant)}>>> BDC`]),
      showGlyphs(glyphs, positions, at),
      ...(meant === undefined ? [] : ['EMC']),
      'ET',
    ].join('\n'),
  );
  pdf.restore();
}

function selectFont(pdf: Pdf, { face }: Fragment): EmbeddedFont {
  // The second argument is the name under which pdfkit finds the font again.
  pdf.font(face.font as unknown as PDFKit.Mixins.PDFFontSource, face.name);
  const { _font: font, page } = pdf as unknown as PdfState;
  page.fonts[font.id] ??= font.ref();
  return font;
}

function utf16Hex(text: string): string {
  return Buffer.from(`\uFEFF${text.replaceAll(LONE_SURROGATE, '\uFFFD')}`, 'utf16le')
    .swap16()
    .toString('hex');
}

interface TextStart {
  readonly x: number;
  readonly y: number;
  readonly sizePt: number;
}

/** Operators that show glyphs in a row; one that stands off its place (a mark) is placed on its own. */
function showGlyphs(
  glyphs: readonly string[],
  positions: readonly PlacedGlyph[],
  { x, y, sizePt }: TextStart,
): string {
  const scale = sizePt / 1000;
  let operators = `1 0 0 1 ${round(x)} ${round(y)} Tm\n[<`;
  let pen = x;
  let isOff = false;
  for (let index = 0; index < glyphs.length; index += 1) {
    const { xAdvance, advanceWidth, xOffset, yOffset } = positions[index] ?? UNMOVED;
    const isMoved = xOffset !== 0 || yOffset !== 0;
    if (isMoved || isOff) {
      operators += `>] TJ\n1 0 0 1 ${round(pen + xOffset * scale)} ${round(y + yOffset * scale)} Tm\n[<`;
    }
    isOff = isMoved;
    const kern = round(advanceWidth - xAdvance);
    operators += kern === 0 ? glyphs[index] : `${glyphs[index]}>${kern}<`;
    pen += xAdvance * scale;
  }
  return `${operators}>] TJ`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
