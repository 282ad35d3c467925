import type PdfKit from 'pdfkit';

interface Entry {
  readonly level: number;
  readonly item: PDFKit.PDFOutline;
}

/** Adds headings to a document's outline as they are drawn, each under the last one above it in rank. */
export function createOutline(pdf: InstanceType<typeof PdfKit>): (level: number, title: string) => void {
  const open: Entry[] = [];
  return (level, title) => {
    if (title === '') return;
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    const above = open.at(-1)?.item ?? pdf.outline;
    open.push({ level, item: above.addItem(title.replaceAll(/\p{Cs}/gu, '\uFFFD')) });
  };
}
