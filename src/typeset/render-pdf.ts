import PdfKit from 'pdfkit';
import { cleanProse, splitLines } from './clean-text.ts';
import type { PdfDocument, TypesetResult } from './document.ts';
import type { Faces } from './faces.ts';
import { layoutBlocks } from './layout-blocks.ts';
import { FOOT_TOP_PT, layoutFoot } from './layout-foot.ts';
import { layoutTitle } from './layout-title.ts';
import { FULL_HEIGHT_PT, PAGE, TEXT_COLUMN, TEXT_HEIGHT_PT } from './page.ts';
import { paginate, type PageContent, type PageHeight } from './paginate.ts';
import { createPen } from './pen.ts';
import type { Slab } from './slab.ts';
import { createUndrawnTally } from './undrawn.ts';

/** Sets a document. The same document gives the same bytes, on one version of Node. */
export function renderPdf(document: PdfDocument, faces: Faces): TypesetResult {
  const undrawn = createUndrawnTally();
  const setting = { faces, undrawn };
  const title = splitLines(document.title ?? '')
    .map(cleanProse)
    .join(' ')
    .trim();
  const titleSlab = title === '' ? undefined : layoutTitle(title, setting);
  const slabs = layoutBlocks(document.blocks, { column: TEXT_COLUMN, listDepth: 0 }, setting);
  const pages = paginate(titleSlab ? [titleSlab, ...slabs] : slabs, pageHeights(document, titleSlab));
  const feet =
    document.pageNumbers === true ? pages.map((_, index) => layoutFoot(index, pages.length, setting)) : [];
  const bytes = drawPages(pages, feet, openPdf(title, document.language));
  const missing = undrawn.sum();
  return { bytes, pages: pages.length, ...(missing ? { undrawn: missing } : {}) };
}

/** Plain text has the seed's 43 lines on a page, and the title besides; anything else fills the page. */
function pageHeights(document: PdfDocument, title: Slab | undefined): PageHeight {
  if (document.blocks.some(({ kind }) => kind !== 'lines')) return () => FULL_HEIGHT_PT;
  const firstPt = Math.min(FULL_HEIGHT_PT, TEXT_HEIGHT_PT + (title?.heightPt ?? 0));
  return (page) => (page === 0 ? firstPt : TEXT_HEIGHT_PT);
}

type Pdf = InstanceType<typeof PdfKit>;

function openPdf(title: string, language: string): Pdf {
  const pdf = new PdfKit({
    size: [PAGE.widthPt, PAGE.heightPt],
    margin: 0,
    font: '',
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: language,
    displayTitle: title !== '',
    info: {
      Creator: 'tool-broker',
      // pdfkit makes the file's ID of these: a fixed date keeps the bytes the same.
      CreationDate: new Date(0),
      ...(title === '' ? {} : { Title: title.replaceAll(/\p{Cs}/gu, '\uFFFD') }),
    },
  });
  // No date is better than a false one: hidden from the loop that writes the metadata.
  Object.defineProperty(pdf.info, 'CreationDate', { enumerable: false });
  // pdfkit writes XMP metadata from version 1.4 on, and puts the title into it without escaping it.
  pdf.version = 1.3;
  return pdf;
}

function drawPages(pages: readonly PageContent[], feet: readonly Slab[], pdf: Pdf): Uint8Array {
  const pen = createPen(pdf);
  for (const [index, page] of pages.entries()) {
    pdf.addPage();
    for (const { slab, topPt } of page) slab.draw(pen, PAGE.marginPt + topPt);
    feet[index]?.draw(pen, FOOT_TOP_PT);
  }
  pdf.end();
  return readAll(pdf);
}

/** pdfkit compresses at once, so that all is there when `end` returns. */
function readAll(pdf: Pdf): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (let chunk: unknown = pdf.read(); chunk instanceof Uint8Array; chunk = pdf.read()) chunks.push(chunk);
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
