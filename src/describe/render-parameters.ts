import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import {
  limitNotes,
  refName,
  showValue,
  showValues,
  typeLabel,
  typesOf,
  unionForms,
} from './describe-shape.ts';
import {
  flattenSchema,
  isSchema,
  refOf,
  resolveRef,
  schemaList,
  schemaMap,
  stringList,
  type Schema,
} from './read-schema.ts';

const MAX_PARAMETERS = 200;
const MAX_NAMES = 1_000;
const MAX_LINES = 1_500;
const MAX_DEPTH = 8;

interface Page {
  readonly root: Schema;
  /** Definitions already written out, by what their reference leads to. */
  readonly written: Set<Schema>;
  readonly lines: string[];
}

/**
 * The parameters as a markdown list, one bullet each with all that limits it. Definitions that
 * are used again (by themselves too) are written once and then named. Long lists end with the names that are left.
 */
export function renderParameters(schema: JsonObject): string {
  const page: Page = { root: schema, written: new Set([schema]), lines: [] };
  renderMembers(schema, page, 0);
  renderForms(flattenSchema(schema, schema), page, 0);
  return page.lines.length === 0 ? 'No parameters.' : page.lines.join('\n');
}

/** One bullet: seed 3's parameter form, with every limit of the schema below it. */
function renderParameter(
  parameter: { name: string; schema: Schema; required: boolean },
  page: Page,
  depth: number,
): void {
  const { name, schema, required } = parameter;
  const pad = '  '.repeat(depth);
  page.lines.push(
    `${pad}- **${oneLine(name)}** (${typeLabel(schema, page.root)} | ${required ? 'required' : 'optional'})`,
  );
  renderBody(schema, page, depth + 1);
}

function renderBody(schema: Schema, page: Page, depth: number): void {
  if (!isJsonObject(schema)) return;
  const flat = flattenSchema(schema, page.root);
  for (const line of noteLines(flat)) page.lines.push(`${'  '.repeat(depth)}${line}`);
  const target = definitionOf(schema, page.root);
  if (target !== undefined && page.written.has(target)) {
    if (hasInside(flat))
      page.lines.push(`${'  '.repeat(depth)}Same form as ${refName(schema) ?? 'above'}, described above.`);
    return;
  }
  if (target !== undefined) {
    page.written.add(target);
    if (hasInside(flat)) page.lines.push(`${'  '.repeat(depth)}Form: ${refName(schema) ?? ''}`);
  }
  renderInside(flat, page, depth);
}

/** The definition that a schema refers to, looked up through chains of bare references. */
function definitionOf(schema: Schema, root: Schema): Schema | undefined {
  let target: Schema | undefined;
  let here: Schema | undefined = schema;
  for (let hops = 0; here !== undefined && hops < 32; hops += 1) {
    const ref = refOf(here);
    here = ref === undefined ? undefined : resolveRef(root, ref);
    target = here ?? target;
  }
  return target;
}

function hasInside(flat: JsonObject): boolean {
  return ['properties', 'items', 'prefixItems', 'anyOf', 'oneOf', 'patternProperties'].some(
    (key) => flat[key] !== undefined,
  );
}

function renderInside(flat: JsonObject, page: Page, depth: number): void {
  if (page.lines.length > MAX_LINES || depth > MAX_DEPTH * 2) {
    if (hasInside(flat)) page.lines.push(`${'  '.repeat(depth)}More inside: see the JSON schema.`);
    return;
  }
  renderMembers(flat, page, depth);
  renderItems(flat, page, depth);
  renderForms(flat, page, depth);
}

function renderMembers(schema: JsonObject, page: Page, depth: number): void {
  const flat = flattenSchema(schema, page.root);
  const properties = schemaMap(flat['properties']);
  const required = new Set(stringList(flat['required']));
  const pad = '  '.repeat(depth);
  const shown = properties.slice(0, MAX_PARAMETERS);
  for (const [index, [name, inner]] of shown.entries()) {
    if (page.lines.length > MAX_LINES) return renderRest(properties.slice(index), page, pad);
    renderParameter({ name, schema: inner, required: required.has(name) }, page, depth);
  }
  renderRest(properties.slice(MAX_PARAMETERS), page, pad);
  for (const name of required) {
    if (!properties.some(([known]) => known === name))
      page.lines.push(`${pad}- **${oneLine(name)}** (any | required)`);
  }
  renderOpenMembers(flat, page, depth);
}

function renderRest(rest: readonly (readonly [string, Schema])[], page: Page, pad: string): void {
  if (rest.length === 0) return;
  const names = rest.slice(0, MAX_NAMES).map(([name]) => `\`${oneLine(name)}\``);
  const more = rest.length - names.length;
  page.lines.push(
    `${pad}- ${rest.length.toLocaleString('en')} more, described in the JSON schema: ${names.join(', ')}${more > 0 ? `, and ${more.toLocaleString('en')} others` : ''}`,
  );
}

/** Members whose names the caller chooses. */
function renderOpenMembers(flat: JsonObject, page: Page, depth: number): void {
  const pad = '  '.repeat(depth);
  for (const [pattern, schema] of schemaMap(flat['patternProperties'])) {
    page.lines.push(
      `${pad}- any name matching \`${oneLine(pattern)}\` (${typeLabel(schema, page.root)} | optional)`,
    );
    renderBody(schema, page, depth + 1);
  }
  const open = flat['additionalProperties'];
  if (!isJsonObject(open)) return;
  page.lines.push(`${pad}- any other name (${typeLabel(open, page.root)} | optional)`);
  renderBody(open, page, depth + 1);
}

function renderItems(flat: JsonObject, page: Page, depth: number): void {
  const pad = '  '.repeat(depth);
  const places = [...schemaList(flat['prefixItems']), ...schemaList(flat['items'])];
  for (const [index, place] of places.entries()) {
    page.lines.push(`${pad}- item ${index + 1} (${typeLabel(place, page.root)})`);
    renderBody(place, page, depth + 1);
  }
  const items = flat['items'];
  if (!isSchema(items) || !isJsonObject(items)) return;
  const inner = flattenSchema(items, page.root);
  if (!hasInside(inner) && noteLines(inner).length === 0) return;
  page.lines.push(`${pad}${places.length > 0 ? 'Each further item' : 'Each item'}:`);
  renderBody(items, page, depth + 1);
}

function renderForms(flat: JsonObject, page: Page, depth: number): void {
  const forms = unionForms(flat);
  const pad = '  '.repeat(depth);
  const [only, ...others] = forms.filter((form) => typeLabel(form, page.root) !== 'null');
  if (only !== undefined && others.length === 0) return renderBody(only, page, depth);
  const worth = forms.filter((form) => {
    const inner = flattenSchema(form, page.root);
    return hasInside(inner) || noteLines(inner).length > 0;
  });
  if (worth.length === 0) return;
  for (const [index, form] of forms.entries()) {
    page.lines.push(`${pad}- Form ${index + 1} of ${forms.length} (${formLabel(form, page.root)})`);
    renderBody(form, page, depth + 1);
    if (page.lines.length > MAX_LINES) {
      page.lines.push(`${pad}- ${forms.length - index - 1} more forms: see the JSON schema.`);
      return;
    }
  }
}

function formLabel(form: Schema, root: Schema): string {
  const flat = flattenSchema(form, root);
  const title = typeof flat['title'] === 'string' ? flat['title'] : refName(form);
  const required = stringList(flat['required']);
  const needs =
    flat['properties'] === undefined && required.length > 0 ? `with ${required.join(', ')}` : undefined;
  const label = typesOf(flat).length === 0 && needs !== undefined ? undefined : typeLabel(form, root);
  return [title === undefined ? undefined : oneLine(title), label, needs]
    .filter((part) => part !== undefined)
    .join(': ');
}

/** Description, allowed values, limits, default, examples: each on a line of its own, when there is any. */
function noteLines(flat: JsonObject): string[] {
  const lines: string[] = [];
  const { description, enum: values, examples } = flat;
  if (typeof description === 'string')
    lines.push(
      ...description
        .trim()
        .split(/\r\n?|\n/u)
        .filter((line) => line.trim() !== ''),
    );
  if (Array.isArray(values)) lines.push(`Allowed: ${showValues(values as readonly JsonValue[])}`);
  const limits = limitNotes(flat);
  if (limits.length > 0) lines.push(`Limits: ${limits.map(oneLine).join('; ')}`);
  const fallback = flat['default'];
  if (fallback !== undefined && fallback !== null) lines.push(`Default: ${showDefault(fallback)}`);
  if (Array.isArray(examples) && examples.length > 0) {
    lines.push(`Examples: ${showValues((examples as readonly JsonValue[]).slice(0, 3))}`);
  }
  if (flat['deprecated'] === true) lines.push('Deprecated.');
  return lines;
}

/** As seed 3 writes it: bare text, unless that could be taken for something else. */
function showDefault(value: JsonValue): string {
  return typeof value === 'string' && /^(?!(?:true|false|null)$)\p{L}[\p{L}\p{N} _./:-]{0,79}$/u.test(value)
    ? value
    : showValue(value);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').slice(0, 400);
}
