import type PdfKit from 'pdfkit';
import type { Line } from './line-filler.ts';
import type { Fragment } from './piece.ts';
import { writeText } from './write-text.ts';

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

export function createPen(pdf: Pdf): Pen {
  return {
    line: (line, { leftPt, baselinePt }) => {
      let x = leftPt;
      for (const fragment of joinFragments(line)) {
        writeText(pdf, fragment, [x, baselinePt]);
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

/** Words in one style as one stretch. pdfkit shapes anew after each space, so that the widths still add up. */
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
  if (left.isLegible !== right.isLegible) return false;
  if (left.boxed || right.boxed) return left.boxed !== undefined && right.boxed !== undefined;
  return left.text.endsWith(' ');
}
