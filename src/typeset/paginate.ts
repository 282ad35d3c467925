import type { Slab } from './slab.ts';

/** A slab and how far its top is from the top of the text area. */
interface PlacedSlab {
  readonly slab: Slab;
  readonly topPt: number;
}

export type PageContent = readonly PlacedSlab[];

/** Height of the text area of a page, 0 being the first. */
export type PageHeight = (page: number) => number;

/**
 * Fills pages with slabs, from top to bottom; at least one page. A slab that is higher than a page gets one of its
 * own and crosses its foot. Slabs that ask to stay with the next do so unless together they are higher than a page.
 */
export function paginate(slabs: readonly Slab[], heightOf: PageHeight): PageContent[] {
  const pages: PageContent[] = [];
  let page: PlacedSlab[] = [];
  let usedPt = 0;
  const place = (slab: Slab, gapPt: number): void => {
    page.push({ slab, topPt: usedPt + gapPt });
    usedPt += gapPt + slab.heightPt;
  };
  for (const [index, slab] of slabs.entries()) {
    const isTied = slabs[index - 1]?.keepWithNext === true && page.length > 0;
    const neededPt = isTied ? slab.heightPt : chainHeight(slabs, index, heightOf(pages.length + 1));
    if (page.length > 0 && usedPt + slab.gapPt + neededPt > heightOf(pages.length)) {
      pages.push(page);
      page = [];
      usedPt = 0;
      if (slab.repeated) place(slab.repeated, 0);
    }
    place(slab, page.length === 0 ? 0 : slab.gapPt);
  }
  pages.push(page);
  return pages;
}

/** Height of a slab and of all that must stay with it, or of the slab alone where that is more than a page. */
function chainHeight(slabs: readonly Slab[], index: number, pagePt: number): number {
  let heightPt = slabs[index]?.heightPt ?? 0;
  const alonePt = heightPt;
  for (let at = index; slabs[at]?.keepWithNext === true; at += 1) {
    const next = slabs[at + 1];
    if (next === undefined) break;
    heightPt += next.gapPt + next.heightPt;
    if (heightPt > pagePt) return alonePt;
  }
  return heightPt;
}
