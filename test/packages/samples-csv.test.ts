import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { createColumnCounter, toNumber } from '../../tool-packages/csv-column-summary/src/column-summary.ts';
import { countBins } from '../../tool-packages/csv-column-summary/src/count-bins.ts';
import { plot } from '../../tool-packages/csv-column-summary/src/plot.ts';
import { summarise } from '../../tool-packages/csv-column-summary/src/summarise.ts';
import { makeDirectory } from './build/support.ts';

const start = process.cwd();
afterEach(() => process.chdir(start));

/** Commands read the working directory. */
async function enter(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const directory = await makeDirectory();
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  process.chdir(directory);
  return directory;
}

describe('summarise', () => {
  it('tells numbers, dates, text and empty columns apart, and counts gaps', async () => {
    await enter({
      'a.csv': '\uFEFFn,d,t,e,\n1,2024-01-05,x,,1\n-2.5e1,2024-03-01,N/A,,2\n,2023-12-31,x,null,3\n',
    });

    expect(await summarise.run({ csv: 'a.csv' })).toEqual({
      rows: 3,
      columns: [
        {
          name: 'n',
          type: 'number',
          count: 2,
          missing: 1,
          distinct: 2,
          min: -25,
          max: 1,
          mean: -12,
          sum: -24,
          standard_deviation: 18.3847763109,
        },
        { name: 'd', type: 'date', count: 3, missing: 0, distinct: 3, min: '2023-12-31', max: '2024-03-01' },
        {
          name: 't',
          type: 'text',
          count: 2,
          missing: 1,
          distinct: 1,
          top_values: [{ value: 'x', count: 2 }],
        },
        { name: 'e', type: 'empty', count: 0, missing: 3, distinct: 0 },
        {
          name: 'column_5',
          type: 'number',
          count: 3,
          missing: 0,
          distinct: 3,
          min: 1,
          max: 3,
          mean: 2,
          sum: 6,
          standard_deviation: 1,
        },
      ],
    });
  });

  it('reads quoted cells with line breaks, and other delimiters when told', async () => {
    await enter({ 'a.csv': 'a;b\r\n"x;\r\ny";1\r\n' });

    expect(await summarise.run({ csv: 'a.csv', delimiter: ';' })).toMatchObject({
      rows: 1,
      columns: [{ top_values: [{ value: 'x;\r\ny' }] }, { mean: 1 }],
    });
    await enter({ 'b.csv': 'a;b\n1;2\n' });
    await expect(summarise.run({ csv: 'b.csv' })).rejects.toThrow('Call again with "delimiter": ";"');
  });

  it.each([
    ['rows of different width', 'a,b\n1\n', 'is not a well-formed CSV file'],
    ['a stray quote', 'a,b\n1,x"y\n', 'is not a well-formed CSV file'],
    ['nothing', '', 'is empty'],
    ['a cell of 2 MB', `a,b\n${'x'.repeat(2_000_000)},1\n`, 'is not a well-formed CSV file'],
    [
      '1,001 columns',
      `${Array.from({ length: 1_001 }, (_, index) => `c${index}`).join()}\n`,
      'takes at most 1000',
    ],
  ])('refuses %s', async (_title, text, message) => {
    await enter({ 'a.csv': text });

    await expect(summarise.run({ csv: 'a.csv' })).rejects.toThrow(message);
  });

  it('stays small in memory over many different values', () => {
    const counter = createColumnCounter('id');
    for (let index = 0; index < 10_001; index += 1) counter.add(`v${index}`);

    expect(counter.finish()).toEqual({
      name: 'id',
      type: 'text',
      count: 10_001,
      missing: 0,
      distinct: 10_000,
      distinct_capped: true,
    });
  });

  it('takes for numbers only what is written as a plain number', () => {
    expect(['1', '+.5', '1e3', ' 7 '].map(toNumber)).toEqual([1, 0.5, 1_000, 7]);
    expect(['0x10', '1,000', '1 2', 'Infinity', '', '1e999', '--1'].map(toNumber)).toEqual(
      Array.from({ length: 7 }),
    );
  });
});

describe('plot', () => {
  it('draws every kind as well-formed XML, whatever stands in the table', async () => {
    const directory = await enter({
      'a.csv':
        '"x""<&>",y,"g\u0001\uFFFF"\n"<script>alert(1)</script>",3,"]]>"\n"\u0007&amp;",4,"日本\u202e"\n',
    });
    for (const kind of ['bar', 'line']) {
      await plot.run({
        csv: 'a.csv',
        kind,
        x: 'x"<&>',
        y: 'y',
        group: 'g\u0001\uFFFF',
        title: '<i>"\u0000\ud800',
      });
      expect(
        execFileSync('python3', ['-c', PARSE_XML, join(directory, 'out/plot.svg')], {
          encoding: 'utf8',
        }).trim(),
      ).toBe('svg 0');
    }
  });

  const table = (groups: number, bars: number): string => {
    const rows = Array.from({ length: bars }, (_, bar) =>
      Array.from({ length: groups }, (_, group) => `b${bar},1,g${group}`).join('\n'),
    );
    return `x,y,g\n${rows.join('\n')}\n`;
  };
  const wish = { csv: 'a.csv', kind: 'bar', x: 'x', y: 'y', group: 'g' };

  it('draws 12 groups of 200 bars', async () => {
    await enter({ 'a.csv': table(12, 200) });

    expect(await plot.run(wish)).toMatchObject({ rows_drawn: 2_400, rows_left_out: 0 });
  });

  it.each([
    [13, 2, '"group" has more than 12 different values'],
    [1, 201, '"x" has more than 200 different values'],
  ])('draws no %i groups of %i bars', async (groups, bars, message) => {
    await enter({ 'a.csv': table(groups, bars) });

    await expect(plot.run(wish)).rejects.toThrow(message);
  });

  it('puts every value into exactly one bin, and at most 41 bins', () => {
    const value = fc.oneof(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 300 }), (values) => {
        const bins = countBins(values);
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
        expect(bins.length).toBeLessThanOrEqual(41);
      }),
      { examples: [[[0, -5e-324]], [[-1.7e308, 1.7e308]], [[1e6, 1e6 + 2e-10]]] },
    );
  });
});

const PARSE_XML = `
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(root.tag.split('}')[1], sum(1 for e in root.iter() if e.tag.endswith('script')))
`;
