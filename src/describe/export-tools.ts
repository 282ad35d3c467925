import type { JsonObject } from '../core/json.ts';
import { isThirdParty, type ToolSpec } from '../core/tool.ts';
import { lowerSchema } from './lower-schema.ts';
import type { ExportNote, SchemaRules } from './lowering.ts';
import { FENCE_NOTE, fenceThirdParty } from './fence-third-party.ts';
import { calmSchema } from './third-party-schema.ts';

export type ExportFormat = 'openai' | 'anthropic';

/** One entry of `tools` in a request to OpenAI's Chat Completions API, and to the many that speak it. */
export interface OpenAiTool {
  type: 'function';
  function: { name: string; description: string; parameters: { [key: string]: unknown } };
}

/** One entry of `tools` in a request to Anthropic's Messages API. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: { type: 'object'; [key: string]: unknown };
}

export interface Exported<T> {
  readonly tools: T[];
  /** Everything that differs from what the broker holds. Empty: nothing was lost. */
  readonly report: ExportNote[];
}

interface Rules extends SchemaRules {
  readonly name: RegExp;
  /** Characters; longer descriptions are refused by the API with the whole request. */
  readonly maxDescription: number;
  readonly maxTools: number;
}

const RULES: Readonly<Record<ExportFormat, Rules>> = {
  openai: {
    name: /^[A-Za-z0-9_-]{1,64}$/u,
    maxDescription: 1_024,
    maxTools: 128,
    lists: 'items',
    propertyName: /^[^]*$/u,
  },
  anthropic: {
    name: /^[A-Za-z0-9_-]{1,64}$/u,
    maxDescription: 20_000,
    maxTools: 1_000,
    lists: 'prefixItems',
    propertyName: /^[a-zA-Z0-9_.-]{1,64}$/u,
  },
};

/**
 * The tools as a model API takes them in its `tools` field, sorted by name. Our names fit both APIs as they are, so a
 * call comes back under the name that the broker knows. A schema that an API would refuse is loosened,
 * never tightened: the broker still checks arguments against the original, and the report says what and where. A tool
 * that cannot be said at all is left out, since one bad tool would make the API refuse them all.
 */
export function exportTools(specs: readonly ToolSpec[], format: 'openai'): Exported<OpenAiTool>;
export function exportTools(specs: readonly ToolSpec[], format: 'anthropic'): Exported<AnthropicTool>;
export function exportTools(
  specs: readonly ToolSpec[],
  format: ExportFormat,
): Exported<OpenAiTool> | Exported<AnthropicTool>;
export function exportTools(
  specs: readonly ToolSpec[],
  format: ExportFormat,
): Exported<OpenAiTool> | Exported<AnthropicTool> {
  const rules = RULES[format];
  const parts = specs
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map((spec) => exportOne(spec, rules));
  const report = [...parts.flatMap((part) => part.notes), ...tooMany(parts.length, rules)];
  const kept = parts.filter((part) => part.schema !== undefined);
  if (format === 'openai') {
    const tools = kept.map(({ name, description, schema }): OpenAiTool => ({
      type: 'function',
      function: { name, description, parameters: { ...schema } },
    }));
    return { tools, report };
  }
  const tools = kept.map(({ name, description, schema }): AnthropicTool => ({
    name,
    description,
    input_schema: { ...schema, type: 'object' },
  }));
  return { tools, report };
}

interface Part {
  readonly name: string;
  readonly description: string;
  /** Undefined: the tool is left out. */
  readonly schema: JsonObject | undefined;
  readonly notes: readonly ExportNote[];
}

function exportOne(spec: ToolSpec, rules: Rules): Part {
  const { name } = spec;
  if (!rules.name.test(name)) {
    return {
      name,
      description: '',
      schema: undefined,
      notes: [leftOut(name, 'its name does not fit this API')],
    };
  }
  const source = isThirdParty(spec.origin) ? calmSchema(spec.inputSchema) : spec.inputSchema;
  const lowered = lowerSchema(source, rules, name);
  const { description, notes } = fitDescription(spec, lowered.hint, rules);
  if (lowered.impossible !== undefined)
    return { name, description, schema: undefined, notes: [leftOut(name, lowered.impossible)] };
  return { name, description, schema: lowered.schema, notes: [...lowered.notes, ...notes] };
}

function leftOut(tool: string, why: string): ExportNote {
  return {
    tool,
    path: '',
    change: 'left_out',
    keyword: '',
    message: `The tool is left out: ${why}.`,
    still_checked: true,
  };
}

function fitDescription(
  spec: ToolSpec,
  hint: string,
  rules: Rules,
): { description: string; notes: ExportNote[] } {
  const wrap = (text: string): string =>
    isThirdParty(spec.origin) ? `${FENCE_NOTE}\n${fenceThirdParty(text)}` : text;
  const tail = hint === '' ? '' : `\n${hint}`;
  const whole = wrap(spec.description) + tail;
  if (whole.length <= rules.maxDescription) return { description: whole, notes: [] };
  const overhead = (wrap('') + tail).length;
  const cut = shorten(spec.description, rules.maxDescription - overhead);
  const message = `The description is cut from ${spec.description.length.toLocaleString('en')} to ${cut.length.toLocaleString('en')} characters; this API takes ${rules.maxDescription.toLocaleString('en')}.`;
  const note: ExportNote = {
    tool: spec.name,
    path: '',
    change: 'cut',
    keyword: 'description',
    message,
    still_checked: true,
  };
  return { description: wrap(cut) + tail, notes: [note] };
}

/** The longest beginning that fits, ended at a word where there is one, never inside a character. */
function shorten(text: string, room: number): string {
  const cut = text.slice(0, Math.max(0, room - 1)).replace(/[\uD800-\uDBFF]$/u, '');
  const word = cut.replace(/\s+\S*$/u, '');
  return `${word.length > cut.length * 0.8 ? word : cut}…`;
}

function tooMany(count: number, rules: Rules): ExportNote[] {
  if (count <= rules.maxTools) return [];
  const message = `${count} tools; this API takes ${rules.maxTools}: narrow the list with a profile or a run.`;
  return [{ tool: '', path: '', change: 'too_many', keyword: 'tools', message, still_checked: true }];
}
