import { array, assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareWidth } from '../../src/typeset/column-widths.ts';

const need = (leastPt: number, wishedPt: number) => ({ leastPt, wishedPt });

describe('shareWidth', () => {
  it('stretches columns whose wishes fit, in proportion', () => {
    expect(shareWidth([need(5, 10), need(5, 30)], 80)).toEqual([20, 60]);
  });

  it('leaves narrow columns their wish when one is too wide', () => {
    expect(shareWidth([need(10, 20), need(30, 900)], 100)).toEqual([20, 80]);
  });

  it('breaks no word while there is room for all of them', () => {
    const [narrow = 0, wide = 0] = shareWidth([need(10, 60), need(70, 90)], 100);
    expect(narrow).toBeGreaterThanOrEqual(10);
    expect(wide).toBeGreaterThanOrEqual(70);
  });

  it('gives out the whole width and nothing below zero, whatever is asked', () => {
    const any = integer({ min: 0, max: 500 });
    assert(
      property(
        array(any, { minLength: 1, maxLength: 12 }),
        array(any, { minLength: 12, maxLength: 12 }),
        (least, more) => {
          const needs = least.map((leastPt, index) => need(leastPt, leastPt + (more[index] ?? 0)));
          const widths = shareWidth(needs, 400);
          expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(400, 6);
          expect(Math.min(...widths)).toBeGreaterThanOrEqual(-1e-9);
        },
      ),
    );
  });
});
