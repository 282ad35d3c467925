import { describe, expect, it } from 'vitest';
import { paginate } from '../../src/typeset/paginate.ts';
import type { Slab } from '../../src/typeset/slab.ts';

function slab(heightPt: number, more: Partial<Slab> = {}): Slab {
  return { heightPt, gapPt: 0, baselinePt: 0, draw: () => undefined, ...more };
}

const tops = (slabs: readonly Slab[], heightPt = 100) =>
  paginate(slabs, () => heightPt).map((page) => page.map(({ topPt }) => topPt));

describe('paginate', () => {
  it('gives one empty page for nothing', () => {
    expect(tops([])).toEqual([[]]);
  });

  it('fills a page to its last point', () => {
    expect(tops([slab(50), slab(50), slab(1)])).toEqual([[0, 50], [0]]);
  });

  it('puts gaps between slabs but not at the top of a page', () => {
    expect(tops([slab(40, { gapPt: 9 }), slab(40, { gapPt: 9 }), slab(40, { gapPt: 9 })])).toEqual([
      [0, 49],
      [0],
    ]);
  });

  it('moves slabs that stay together to the next page together', () => {
    const tied = { keepWithNext: true };
    expect(tops([slab(60), slab(20, tied), slab(20, tied), slab(20)])).toEqual([[0], [0, 20, 40]]);
  });

  it('lets them part where together they are higher than a page', () => {
    const tied = { keepWithNext: true };
    expect(tops([slab(10), slab(60, tied), slab(60)])).toEqual([[0, 10], [0]]);
  });

  it('gives a slab that is higher than a page one of its own', () => {
    expect(tops([slab(10), slab(150), slab(10)])).toEqual([[0], [0], [0]]);
  });

  it('draws what is to be repeated first on a new page', () => {
    const repeated = slab(10);
    expect(tops([repeated, slab(80, { repeated }), slab(80, { repeated })])).toEqual([
      [0, 10],
      [0, 10],
    ]);
  });
});
