import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { repair } from '../../bench/repair-agent.ts';
import { BREAK_KINDS, readSubjects } from '../../bench/repair-cases.ts';
import { measureRepair } from '../../bench/repair-measure.ts';

const file = fileURLToPath(new URL('../../bench/repair-schemas.json', import.meta.url));

describe('the repair test', () => {
  const subjects = readSubjects(file);
  const measured = measureRepair(subjects);

  it('covers 80 schemas or more and every way to break arguments', () => {
    expect(measured.skipped).toEqual([]);
    expect(measured.schemas).toBeGreaterThanOrEqual(80);
    for (const kind of BREAK_KINDS)
      expect(measured.tallies.find((tally) => tally.kind === kind)!.cases).toBeGreaterThan(50);
  });

  it.each(['all', ...BREAK_KINDS])(
    'restores 95 %% in one step and 99 %% in two, where nothing else changes: %s',
    (kind) => {
      const tally = measured.tallies.find((one) => one.kind === kind)!;
      expect(tally.one / tally.cases).toBeGreaterThanOrEqual(0.95);
      // Of a tag that was deleted, no answer can say which one it was.
      expect(tally.two / tally.cases).toBeGreaterThanOrEqual(kind === 'missing' ? 0.98 : 0.99);
    },
  );

  it('would fail if errors named no place: the repairer has nothing else to go by', () => {
    expect(repair({ a: 'x' }, { message: 'Invalid arguments.', details: [], example: { a: 1 } })).toEqual({
      a: 'x',
    });
  });
});
