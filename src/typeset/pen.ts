import type PdfKit from 'pdfkit';
import { lineWidth, type Line } from './line-filler.ts';
import type { Fragment, TextStyle } from './piece.ts';
import { createOutline } from './outline.ts';
import { writeText } from './write-text.ts';

/** Draws on the current page. Lengths in points, from the top left corner. */
export interface Pen {
  readonly line: (line: Line, place: Place) => void;
  readonly rule: (rule: Rule) => void;
  readonly tint: (area: Area, color: string) => void;
  /** An entry in the outline that leads to the current page. */
  readonly outline: (level: number, title: string) => void;
}

interface Place {
  readonly leftPt: number;
  readonly baselinePt: number;
}

interface Rule {
  readonly fromPt: readonly [number, number];
  readonly toPt: readonly [number, number];
  readonly widthPt: number;
  readonly color: string;
}

interface Area {
  readonly leftPt: number;
  readonly topPt: number;
  readonly widthPt: number;
  readonly heightPt: number;
}

type Pdf = InstanceType<typeof PdfKit>;

export function createPen(pdf: Pdf): Pen {
  const pen: Pen = {
    line: (line, { leftPt, baselinePt }) => {
      let x = leftPt;
      for (const fragment of joinFragments(line)) {
        const place = { leftPt: x, baselinePt };
        drawBehind(pen, fragment, place);
        writeText(pdf, fragment, [x, baselinePt]);
        drawStrokes(pen, fragment, place);
        if (fragment.style.link !== undefined) addLink(pdf, fragment, place);
        x += fragment.widthPt;
      }
    },
    rule: ({ fromPt, toPt, widthPt, color }) => {
      pdf.moveTo(...fromPt).lineTo(...toPt);
      pdf.lineWidth(widthPt).strokeColor(color).stroke();
    },
    tint: ({ leftPt, topPt, widthPt, heightPt }, color) => {
      pdf.rect(leftPt, topPt, widthPt, heightPt).fill(color);
    },
    outline: createOutline(pdf),
  };
  return pen;
}

/** Words in one style as one stretch. pdfkit shapes anew after each space, so that the widths still add up. */
function joinFragments(line: Line): Fragment[] {
  const stretches: Fragment[][] = [];
  for (const fragment of line) {
    const stretch = stretches.at(-1);
    const last = stretch?.at(-1);
    if (stretch && last && canJoin(last, fragment)) stretch.push(fragment);
    else stretches.push([fragment]);
  }
  return stretches.flatMap(joinStretch);
}

function joinStretch(stretch: readonly Fragment[]): Fragment[] {
  const [first, second] = stretch;
  if (first === undefined) return [];
  if (second === undefined) return [first];
  return [
    {
      ...first,
      text: stretch.map(({ text }) => text).join(''),
      boxed: first.boxed && stretch.flatMap(({ boxed }) => boxed ?? []),
      widthPt: stretch.reduce((sum, { widthPt }) => sum + widthPt, 0),
      visiblePt: lineWidth(stretch),
    },
  ];
}

function canJoin(left: Fragment, right: Fragment): boolean {
  if (left.face !== right.face || left.style !== right.style) return false;
  if (left.isLegible !== right.isLegible) return false;
  if (left.boxed || right.boxed) return left.boxed !== undefined && right.boxed !== undefined;
  return left.text.endsWith(' ');
}

function drawBehind(pen: Pen, fragment: Fragment, { leftPt, baselinePt }: Place): void {
  const { background, sizePt } = fragment.style;
  if (background === undefined) return;
  const area = { leftPt, topPt: baselinePt - sizePt, widthPt: fragment.visiblePt, heightPt: sizePt * 1.32 };
  pen.tint(area, background);
}

/** The line under a link and the one through a text that is struck out. */
function drawStrokes(pen: Pen, fragment: Fragment, { leftPt, baselinePt }: Place): void {
  for (const [y, color] of strokesOf(fragment.style, baselinePt)) {
    pen.rule({ fromPt: [leftPt, y], toPt: [leftPt + fragment.visiblePt, y], widthPt: 0.5, color });
  }
}

function strokesOf(style: TextStyle, baselinePt: number): [number, string][] {
  const color = style.color ?? '#000000';
  return [
    ...(style.link === undefined ? [] : [[baselinePt + 1.6, color] as [number, string]]),
    ...(style.strike === true ? [[baselinePt - style.sizePt * 0.27, color] as [number, string]] : []),
  ];
}

function addLink(pdf: Pdf, fragment: Fragment, { leftPt, baselinePt }: Place): void {
  const { link = '', sizePt } = fragment.style;
  pdf.link(leftPt, baselinePt - sizePt, fragment.visiblePt, sizePt * 1.3, link);
}
