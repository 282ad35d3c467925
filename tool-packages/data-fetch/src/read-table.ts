import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { Retryable, ToolError } from 'tool-package-sdk';

const MAX_COLUMNS = 1_000;

export interface Table {
  /** With a header line. */
  readonly csv: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

/** A table from CSV as it is, or from a JSON array of flat objects. Throws ToolError when it is neither. */
export function readTable(text: string, mediaType: string): Table {
  const isJson = mediaType.endsWith('json') || (!mediaType.endsWith('csv') && /^\s*[[{]/u.test(text));
  if (isJson) return readJson(text);
  if (mediaType === 'text/html' || /^\s*<(?:!doctype|html)/iu.test(text)) {
    throw new Retryable('The source answers with a web page; give the URL of the CSV or JSON file itself.');
  }
  return readCsv(text);
}

function readCsv(text: string): Table {
  let records: string[][];
  try {
    records = parse(text, { bom: true, skip_empty_lines: true });
  } catch (error) {
    throw new ToolError(
      `The source is not a CSV table: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const [columns] = records;
  if (columns === undefined) throw new ToolError('The source is empty.');
  refuseWidth(columns.length);
  return { csv: text.replace(/^\uFEFF/u, ''), rows: records.length - 1, columns };
}

function readJson(text: string): Table {
  const rows = parseRows(text);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  refuseWidth(columns.length);
  const cells = rows.map((row) => columns.map((column) => toCell(row, column)));
  return { csv: stringify([columns, ...cells]), rows: rows.length, columns };
}

function parseRows(text: string): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ToolError(`The source is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) {
    throw new ToolError('The source is JSON, but not an array of objects, one for each row.');
  }
  return value;
}

function toCell(row: Record<string, unknown>, column: string): string {
  const cell = Object.hasOwn(row, column) ? row[column] : null;
  if (cell === null) return '';
  if (typeof cell === 'object')
    throw new ToolError(`The column ${column} holds objects or lists; only flat rows can be saved.`);
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuseWidth(columns: number): void {
  if (columns > MAX_COLUMNS)
    throw new ToolError(`The table has ${columns} columns; this tool takes at most ${MAX_COLUMNS}.`);
}
