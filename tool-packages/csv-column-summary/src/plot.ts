import { mkdir, writeFile } from 'node:fs/promises';

import { defineCommand } from 'tool-package-sdk';
import { Type } from 'typebox';

import { CSV_ERRORS, CSV_PARAMS } from './csv-params.ts';
import { readSeries } from './read-series.ts';

const OUTPUT = 'out/plot.svg';

/** Bounds of the name of a column, in characters. */
const COLUMN = { minLength: 1, maxLength: 500 };

export const plot = defineCommand({
  name: 'plot',
  description:
    'Draws columns of a CSV file as a chart and saves it as an SVG picture. `bar` and `line` show `y` for each value of ' +
    '`x` (rows with the same `x` are added up, or averaged); `scatter` shows a point for each row; `histogram` shows how ' +
    'the values of `y` spread. `group` splits bar, line and scatter by a third column. Use it when a picture is asked ' +
    'for; learn the column names with `summarise`. Do not use it to compute figures. At most 12 groups, 200 bars and ' +
    '20,000 points.',
  params: Type.Object(
    {
      ...CSV_PARAMS,
      kind: Type.Enum(['bar', 'line', 'scatter', 'histogram'], { description: 'The form of the chart.' }),
      y: Type.String({ ...COLUMN, description: 'The name of the column of numbers to draw.' }),
      x: Type.Optional(
        Type.String({
          ...COLUMN,
          description: 'The name of the column along the foot; all but histogram need it.',
        }),
      ),
      group: Type.Optional(
        Type.String({ ...COLUMN, description: 'The name of a column that splits the rows into series.' }),
      ),
      combine: Type.Optional(
        Type.Enum(['sum', 'mean'], {
          description: 'What bar and line make of rows with the same x. Default: sum.',
        }),
      ),
      title: Type.Optional(
        Type.String({
          maxLength: 120,
          description: 'Stands above the chart. Default: made from the columns.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  triggers: ['asked for a chart, graph or plot of a table'],
  examples: [
    {
      input: 'Plot revenue by month for each region from sales.csv',
      arguments: { csv: 'sales.csv', kind: 'line', x: 'month', y: 'revenue', group: 'region' },
    },
    { input: 'How are the units spread?', arguments: { csv: 'sales.csv', kind: 'histogram', y: 'units' } },
  ],
  returns: { type: 'object', description: 'images: the path of the picture; rows drawn and rows left out.' },
  errors: CSV_ERRORS,
  produces: ['image/svg+xml'],
  run: async (args) => {
    const data = await readSeries(args);
    // The chart library is most of this program; only this command pays for starting it.
    const { drawChart } = await import('./draw-chart.ts');
    const title = args.title ?? defaultTitle(args);
    await mkdir('out', { recursive: true });
    await writeFile(OUTPUT, drawChart(data, { ...args, title }));
    return {
      images: [OUTPUT],
      rows_drawn: data.drawn,
      rows_left_out: data.leftOut,
      series: data.series.map(({ name }) => name),
    };
  },
});

function defaultTitle(args: {
  kind: string;
  x?: string;
  y: string;
  group?: string;
  combine?: string;
}): string {
  if (args.kind === 'histogram') return `Distribution of ${args.y}`;
  const what = args.combine === 'mean' && args.kind !== 'scatter' ? `Mean ${args.y}` : args.y;
  return `${what} by ${args.x ?? ''}${args.group === undefined ? '' : ` and ${args.group}`}`;
}
