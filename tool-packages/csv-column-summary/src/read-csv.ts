import { createReadStream } from 'node:fs';
import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import { CsvError, parse } from 'csv-parse';
import { NeedsAction, Retryable, ToolError } from 'tool-package-sdk';

const MAX_COLUMNS = 1_000;
const MAX_RECORD_BYTES = 1_048_576;

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/**
 * Reads a CSV file below the working directory record by record, whatever its size: first `onHeader` with the column names,
 * then `onRecord` for each row. Throws Retryable for a file that is not there, ToolError for one that is no CSV.
 */
export async function readCsv(
  file: string,
  options: { readonly delimiter?: Delimiter | undefined },
  sink: {
    readonly onHeader: (columns: readonly string[]) => void;
    readonly onRecord: (cells: readonly string[]) => void;
  },
): Promise<void> {
  const path = await findFile(file);
  const delimiter = options.delimiter ?? ',';
  const parser = parse({ bom: true, delimiter, skip_empty_lines: true, max_record_size: MAX_RECORD_BYTES });
  const source = createReadStream(path).on('error', (error) => parser.destroy(error));
  let width = 0;
  try {
    for await (const record of source.pipe(parser) as AsyncIterable<string[]>) {
      if (width > 0) sink.onRecord(record);
      else {
        width = record.length;
        refuseOtherDelimiter(record, delimiter);
        sink.onHeader(nameColumns(record));
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ToolError(
      `${file} is not a well-formed CSV file when it is split at ${JSON.stringify(delimiter)}: ${error.message}`,
    );
  } finally {
    source.destroy();
  }
  if (width === 0) throw new ToolError(`${file} is empty; expected a header line and rows.`);
}

/** A header of one column that holds another delimiter is a file read the wrong way. */
function refuseOtherDelimiter(header: readonly string[], delimiter: Delimiter): void {
  const other = DELIMITERS.find((candidate) => candidate !== delimiter && header[0]?.includes(candidate));
  if (header.length > 1 || other === undefined) return;
  throw new Retryable(
    `The file has one column when it is split at ${JSON.stringify(delimiter)}. Call again with "delimiter": ${JSON.stringify(other)}.`,
  );
}

/** Unnamed and repeated columns get names of their own, so that each can be asked for. */
function nameColumns(header: readonly string[]): string[] {
  if (header.length > MAX_COLUMNS) {
    throw new ToolError(`The file has ${header.length} columns; this tool takes at most ${MAX_COLUMNS}.`);
  }
  const seen = new Map<string, number>();
  return header.map((cell, index) => {
    const name = cell.trim() || `column_${index + 1}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

/** Follows links, and refuses what lies outside the working directory. */
async function findFile(file: string): Promise<string> {
  const home = await realpath('.');
  const path = await realpath(join(home, file)).catch(() => undefined);
  if (path === undefined || !path.startsWith(home + sep) || !(await stat(path)).isFile()) {
    throw new Retryable(`There is no file ${file}. ${await sayFiles(home)}`);
  }
  await access(path, constants.R_OK).catch(() => {
    throw new NeedsAction(`The file ${file} is there but cannot be read; its permissions must be changed.`);
  });
  return path;
}

async function sayFiles(home: string): Promise<string> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(home, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.'))
    .toSorted()
    .slice(0, 20);
  if (names.length > 0) return `Files here: ${names.join(', ')}.`;
  return 'There are no files here: send the CSV file with the call, in `files`.';
}
