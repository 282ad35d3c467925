import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { defineCommand, Retryable } from 'tool-package-sdk';
import { Type } from 'typebox';

import { DEMO_SOURCES } from './demo-sources.ts';
import { readTable, type Table } from './read-table.ts';

const OUTPUT_DIRECTORY = 'out';

export const dataFetch = defineCommand({
  name: 'data-fetch',
  description:
    'Gets a table and saves it as a CSV file: from a URL that answers with CSV or with a JSON array of flat objects, ' +
    'or from a demo source inside the package. Use it to get data for `summarise` and `plot`. Do not use it for web ' +
    'pages or for files you already have. The table may have 8 MiB and takes at most 30 seconds. ' +
    `The demo source \`demo:sales\` always works; a URL works only when the operator has granted its host.`,
  params: Type.Object(
    {
      source: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: `An http or https URL, or one of: ${[...DEMO_SOURCES.keys()].join(', ')}.`,
      }),
      save_as: Type.Optional(
        Type.String({
          pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,59}(\\.csv)?$',
          description: 'Name of the file to save, with or without .csv. Default: a name from the source.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  triggers: ['a table must be downloaded before it can be summarised or plotted', 'demo data is wanted'],
  examples: [
    { input: 'Get me the demo sales figures', arguments: { source: 'demo:sales' } },
    {
      input: 'Fetch https://data.example.org/rain.csv as rain',
      arguments: { source: 'https://data.example.org/rain.csv', save_as: 'rain' },
    },
  ],
  returns: {
    type: 'object',
    description: 'name and path of the CSV file that was saved, its number of rows, and its column names.',
  },
  errors: [
    {
      code: 'EXIT_2',
      description: 'The source is unknown, not found, slow or briefly away.',
      resolution: 'Correct `source`, or call again a little later.',
    },
    {
      code: 'EXIT_3',
      description: 'The host has not been granted to this tool.',
      resolution: 'Ask the operator to grant the host that the message names, or use a demo source.',
    },
  ],
  produces: ['text/csv'],
  run: async ({ source, save_as: saveAs }) => {
    const { table, name } = await getTable(source);
    const file = `${(saveAs ?? name).replace(/\.csv$/u, '')}.csv`;
    await mkdir(OUTPUT_DIRECTORY, { recursive: true });
    await writeFile(join(OUTPUT_DIRECTORY, file), table.csv);
    return { name: file, path: `${OUTPUT_DIRECTORY}/${file}`, rows: table.rows, columns: table.columns };
  },
});

async function getTable(source: string): Promise<{ readonly table: Table; readonly name: string }> {
  const demo = DEMO_SOURCES.get(source);
  if (demo !== undefined) return { table: readTable(demo, 'text/csv'), name: source.replace(':', '-') };
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const known = [...DEMO_SOURCES.keys()].join(', ');
    throw new Retryable(
      `source must be an http or https URL, or one of: ${known}. Received: ${source.slice(0, 80)}`,
    );
  }
  // The HTTP client is most of this program; a demo source does not pay for starting it.
  const { fetchText } = await import('./fetch-text.ts');
  const { text, mediaType } = await fetchText(url, process.env['TOOL_ALLOWED_HOSTS'] ?? '');
  return { table: readTable(text, mediaType), name: nameFrom(url) };
}

/** The last part of the path, without its ending and without what a file name should not have. */
function nameFrom(url: URL): string {
  const last = url.pathname.split('/').findLast((part) => part !== '') ?? '';
  const plain = last.replace(/\.[A-Za-z0-9]+$/u, '').replaceAll(/[^A-Za-z0-9_-]+/gu, '-');
  return plain.replace(/^[-_]+/u, '').slice(0, 60) || 'data';
}
