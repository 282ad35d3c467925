import { defineCommand } from 'tool-package-sdk';
import { Type } from 'typebox';

import { createColumnCounter, type ColumnCounter } from './column-summary.ts';
import { CSV_ERRORS, CSV_PARAMS } from './csv-params.ts';
import { readCsv } from './read-csv.ts';

/** Wider tables are counted whole and reported up to here, so that the answer stays readable. */
const MAX_REPORTED = 60;

export const summarise = defineCommand({
  name: 'summarise',
  description:
    'Says what is in a CSV file: the number of rows and, for each column, its type, missing and distinct values, and ' +
    'range, mean and deviation (numbers), range (dates) or most frequent values (text). Use it first on a file you do ' +
    'not know, and to learn the column names for `plot`. Do not use it to read single rows. Any number of rows, at most ' +
    '1,000 columns (the first 60 are reported).',
  params: Type.Object(CSV_PARAMS, { additionalProperties: false }),
  triggers: [
    'a CSV file is at hand and its contents are unknown',
    'asked for averages, ranges or gaps of a table',
  ],
  examples: [{ input: 'What is in sales.csv?', arguments: { csv: 'sales.csv' } }],
  returns: { type: 'object', description: 'rows, and columns: one object for each with its figures.' },
  errors: CSV_ERRORS,
  run: async ({ csv, delimiter }) => {
    const counters: ColumnCounter[] = [];
    let rows = 0;
    await readCsv(
      csv,
      { delimiter },
      {
        onHeader: (columns) => counters.push(...columns.map((name) => createColumnCounter(name))),
        onRecord: (cells) => {
          rows += 1;
          for (const [index, cell] of cells.entries()) counters[index]?.add(cell);
        },
      },
    );
    const columns = counters.slice(0, MAX_REPORTED).map((counter) => counter.finish());
    const more = counters.length - columns.length;
    return { rows, columns, ...(more > 0 ? { columns_not_reported: more } : {}) };
  },
});
