import type PdfKit from 'pdfkit';
import type { Line } from './line-filler.ts';
import type { Fragment } from './piece.ts';

/** Draws on the current page. Lengths in points, from the top left corner. */
export interface Pen {
  readonly line: (line: Line, place: Place) => void;
  readonly rule: (rule: Rule) => void;
  readonly fill: (area: Area, color: string) => void;
}

export interface Place {
  readonly leftPt: number;
  readonly baselinePt: number;
}

export interface Rule {
  readonly fromPt: readonly [number, number];
  readonly toPt: readonly [number, number];
  readonly widthPt: number;
  readonly color: string;
}

export interface Area {
  readonly leftPt: number;
  readonly topPt: number;
  readonly widthPt: number;
  readonly heightPt: number;
}

type Pdf = InstanceType<typeof PdfKit>;

const TEXT_COLOR = '#000000';
/** Its letters are drawn in another order than they are written, so that they must be spelled out to be copied. */
const REORDERED = /\p{sc=Devanagari}/u;
const LONE_SURROGATE = /\p{Cs}/gu;

export function createPen(pdf: Pdf): Pen {
  return {
    line: (line, { leftPt, baselinePt }) => {
      let x = leftPt;
      for (const fragment of joinFragments(line)) {
        drawFragment(pdf, fragment, { leftPt: x, baselinePt });
        x += fragment.widthPt;
      }
    },
    rule: ({ fromPt, toPt, widthPt, color }) => {
      pdf.moveTo(...fromPt).lineTo(...toPt);
      pdf.lineWidth(widthPt).strokeColor(color).stroke();
    },
    fill: ({ leftPt, topPt, widthPt, heightPt }, color) => {
      pdf.rect(leftPt, topPt, widthPt, heightPt).fill(color);
    },
  };
}

/** Words in one style as one stretch. pdfkit shapes after each space anew, so that the widths still add up. */
function joinFragments(line: Line): Fragment[] {
  const joined: Fragment[] = [];
  for (const fragment of line) {
    const last = joined.at(-1);
    if (last && canJoin(last, fragment)) {
      const boxed = last.boxed && fragment.boxed ? { boxed: [...last.boxed, ...fragment.boxed] } : {};
      joined[joined.length - 1] = {
        ...fragment,
        ...boxed,
        text: last.text + fragment.text,
        widthPt: last.widthPt + fragment.widthPt,
        visiblePt: last.widthPt + fragment.visiblePt,
      };
    } else joined.push(fragment);
  }
  return joined;
}

function canJoin(left: Fragment, right: Fragment): boolean {
  if (left.face !== right.face || left.style !== right.style) return false;
  if (left.boxed || right.boxed) return left.boxed !== undefined && right.boxed !== undefined;
  return left.text.endsWith(' ');
}

function drawFragment(pdf: Pdf, fragment: Fragment, { leftPt, baselinePt }: Place): void {
  const text = fragment.text.trimEnd();
  if (text === '') return;
  const { style, face } = fragment;
  const meant = fragment.boxed?.join('') ?? (REORDERED.test(text) ? text : undefined);
  const color = style.color ?? TEXT_COLOR;
  if (meant !== undefined) pdf.markContent('Span', { actual: meant.replaceAll(LONE_SURROGATE, '\uFFFD') });
  pdf.font(face.name).fontSize(style.sizePt).fillColor(color);
  pdf.text(text, leftPt, baselinePt, { lineBreak: false, baseline: 'alphabetic' });
  if (meant !== undefined) pdf.endMarkedContent();
}
