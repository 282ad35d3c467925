import { stringify } from 'csv-stringify/sync';
import { Type } from 'typebox';

import type { JsonObject } from '../../core/json.ts';
import { createJsonReader } from '../json-reader.ts';
import { renderTemplate } from '../template/render-template.ts';
import type { SchemaNode } from '../template/schema-scope.ts';
import type { Template } from '../template/template.ts';
import { toView } from '../template/to-view.ts';
import {
  TOO_LONG,
  type BoundHandler,
  type HandlerSource,
  type Rendering,
  type SkillHandler,
} from './handler.ts';
import { bindText, findListScopes } from './bind-list.ts';

/** The template file: which list makes the rows, and a Mustache text for each column. */
const CsvTemplateSchema = Type.Object(
  {
    rows: Type.String({ minLength: 1 }),
    columns: Type.Array(
      Type.Object(
        { header: Type.String({ minLength: 1 }), value: Type.String({ minLength: 1 }) },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 200 },
    ),
  },
  { additionalProperties: false },
);

const readCsvTemplate = createJsonReader(CsvTemplateSchema);

/** A table as RFC 4180 has it (CRLF, quotes doubled), one row an entry. What a spreadsheet would run is defused. */
export const renderCsv: SkillHandler = { mediaTypes: ['text/csv'], lane: 'inline', bind };

interface Table {
  readonly list: string;
  readonly headers: readonly string[];
  readonly cells: readonly Template[];
  readonly scopes: readonly [SchemaNode, SchemaNode];
}

function bind(source: HandlerSource): BoundHandler {
  const read = readCsvTemplate(source.bytes, source.file);
  if (!read.ok) return read;
  const { rows: list, columns } = read.value;
  const scopes = findListScopes(source, list);
  if (!scopes.ok) return scopes;
  const bound = columns.map(({ value }) => bindText(source.file, value, scopes.value));
  const faults = bound.flatMap((cell) => cell.faults ?? []);
  if (faults.length > 0) return { ok: false, faults };
  const cells = bound.flatMap((cell) => (cell.ok ? [cell.value] : []));
  const table = { list, headers: columns.map(({ header }) => header), cells, scopes: scopes.value };
  return { ok: true, render: (args) => Promise.resolve(renderTable(table, args)) };
}

function renderTable({ list, headers, cells, scopes: [root, item] }: Table, args: JsonObject): Rendering {
  const view = toView(args, root);
  const entries = args[list];
  const rows = (Array.isArray(entries) ? entries : []).map((entry) => {
    const contexts = [view, toView(entry, item)];
    return cells.map((cell) => renderTemplate(cell, contexts, (text) => text));
  });
  if (rows.some((row) => row.some((cell) => !cell.ok))) return TOO_LONG;
  const texts = rows.map((row) => row.map((cell) => (cell.ok ? asCell(cell.text) : '')));
  const text = stringify([headers, ...texts], {
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted_match: /[\r\n]/u,
  });
  return { ok: true, bytes: Buffer.from(text, 'utf8'), facts: { rows: rows.length } };
}

/** A negative number is no formula; as a number it is left as it is. */
function asCell(text: string): string | number {
  const number = Number(text);
  return /^-\d/u.test(text) && String(number) === text ? number : text;
}
