import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { PdfDocument, TypesetResult } from './document.ts';
import { openFaces } from './faces.ts';
import { renderPdf } from './render-pdf.ts';

// Runs in a worker thread of typesetter.ts: the fonts are opened once, before the first task.
const faces = openFaces();

// A first document makes pdfkit and the fonts ready, so that the first call does not wait for them.
renderPdf({ title: 'Warm', language: 'en', blocks: [{ kind: 'lines', text: 'Up. → 1' }] }, faces);

/** The task: sets a document and hands over its bytes without copying them. */
export function typesetTask(document: PdfDocument): unknown {
  const result: TypesetResult = renderPdf(document, faces);
  return move({ [transferableSymbol]: result.bytes.buffer, [valueSymbol]: result });
}
