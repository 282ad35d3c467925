import { isJsonObject, type JsonObject } from '../core/json.ts';
import { quote } from '../core/quote.ts';
import { formatRef } from '../core/ref.ts';
import type { Origin, Tool, ToolResult, ToolSpec } from '../core/tool.ts';
import { bindOutput, type BoundOutput, type OutputBinding, type OutputSource } from './bind-output.ts';
import type { HandlerTable } from './handlers/handler-table.ts';
import type { FileSet } from './read-file-set.ts';
import type { SkillNote } from './skill-fault.ts';
import { propertyOf, rootNode } from './template/schema-scope.ts';
import { readToolJson, TOOL_FILE, type ToolJson } from './tool-json.ts';

export interface SkillSource {
  readonly files: FileSet['files'];
  readonly description: string;
  readonly origin: Origin;
  /** `sha256:<hex>` of the whole directory. */
  readonly digest: string;
  readonly handlers: HandlerTable;
}

export type SkillBinding =
  | { readonly ok: true; readonly tool: Tool }
  | {
      readonly ok: false;
      readonly faults: readonly SkillNote[];
      readonly isUnknownHandler: boolean;
      /** Known when tool.json could be read. */
      readonly ref?: string;
    };

type Noter = OutputSource['noteAt'];

/** Makes the tool that an executable skill is. Everything that can fail before a call fails here. */
export function bindSkill(source: SkillSource): SkillBinding {
  const file = source.files.find(({ path }) => path === TOOL_FILE);
  const json = readToolJson(file?.bytes ?? Buffer.alloc(0));
  if (!json.ok) return { ok: false, faults: json.faults, isUnknownHandler: false };
  const { value: tool, noteAt } = json;
  const ref = formatRef({ name: tool.tool_id, version: tool.version });
  const outputs = bindOutputs(tool, source, noteAt);
  const variantFault = checkVariants(tool, noteAt);
  const failed = [...outputs.values()].flatMap((output) => (output.ok ? [] : [output]));
  if (failed.length > 0 || variantFault !== undefined) {
    const faults = [...failed.flatMap((output) => output.faults), ...(variantFault ? [variantFault] : [])];
    return { ok: false, ref, faults, isUnknownHandler: failed.some((output) => output.isUnknownHandler) };
  }
  const bound = new Map(
    [...outputs].flatMap(([key, output]) => (output.ok ? [[key, output.output] as const] : [])),
  );
  return { ok: true, tool: toTool(tool, source, bound) };
}

const USUAL = '';

/** The usual output under the empty key, and each variant under the value of the argument that asks for it. */
function bindOutputs(tool: ToolJson, source: SkillSource, noteAt: Noter): Map<string, OutputBinding> {
  const { files, handlers } = source;
  const shared = { files, handlers, noteAt, inputSchema: tool.input_schema as JsonObject };
  const { variants, ...usual } = tool.output;
  const outputs = new Map<string, OutputBinding>();
  const own = { ...shared, pointer: '/output', handlerPointer: '/handler' };
  outputs.set(USUAL, bindOutput({ handler: tool.handler, ...usual }, own));
  for (const [key, output] of Object.entries(variants?.outputs ?? {})) {
    const pointer = `/output/variants/outputs/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    outputs.set(key, bindOutput(output, { ...shared, pointer, handlerPointer: `${pointer}/handler` }));
  }
  return outputs;
}

/** The argument must be one that can only be one of the named values. */
function checkVariants(
  { output: { variants }, input_schema: schema }: ToolJson,
  noteAt: Noter,
): SkillNote | undefined {
  if (variants === undefined) return undefined;
  const pointer = '/output/variants/argument';
  const property = propertyOf(rootNode(schema as JsonObject), variants.argument);
  const allowed = property?.schema['enum'];
  if (!Array.isArray(allowed)) {
    return noteAt(pointer, `${quote(variants.argument)} must be a property of input_schema with an "enum".`);
  }
  const unknown = Object.keys(variants.outputs).find((key) => key === USUAL || !allowed.includes(key));
  return unknown === undefined ? undefined : noteAt(pointer, `has no value ${quote(unknown)} in its "enum".`);
}

function toTool(json: ToolJson, source: SkillSource, outputs: ReadonlyMap<string, BoundOutput>): Tool {
  const made = [...outputs.values()];
  const argument = json.output.variants?.argument;
  const spec: ToolSpec = {
    name: json.tool_id,
    version: json.version,
    kind: 'skill',
    origin: source.origin,
    summary: firstSentence(source.description),
    description: source.description,
    inputSchema: json.input_schema as JsonObject,
    lane: made.some(({ lane }) => lane === 'worker') ? 'worker' : 'inline',
    produces: [...new Set(made.map(({ mediaType }) => mediaType))],
    digest: source.digest,
    returns: (json.returns ?? DEFAULT_RETURNS) as NonNullable<ToolSpec['returns']>,
    ...(json.triggers === undefined ? {} : { triggers: json.triggers }),
    ...(json.examples === undefined ? {} : { examples: json.examples as NonNullable<ToolSpec['examples']> }),
    ...(json.errors === undefined ? {} : { errors: json.errors }),
  };
  return {
    spec,
    execute: (args, context) => runOutput(chooseOutput(outputs, argument, args), args, context),
  };
}

const DEFAULT_RETURNS = {
  type: 'object',
  description: 'What was made; the file itself comes beside it as the artifact.',
  properties: { created: { type: 'boolean', const: true }, file_name: { type: 'string' } },
};

function chooseOutput(
  outputs: ReadonlyMap<string, BoundOutput>,
  argument: string | undefined,
  args: JsonObject,
): BoundOutput | undefined {
  const value = argument !== undefined && Object.hasOwn(args, argument) ? args[argument] : undefined;
  return (typeof value === 'string' ? outputs.get(value) : undefined) ?? outputs.get(USUAL);
}

async function runOutput(
  output: BoundOutput | undefined,
  ...[args, context]: Parameters<Tool['execute']>
): Promise<ToolResult> {
  if (output === undefined || !isJsonObject(args)) throw new Error('a bound skill has no usual output');
  const rendering = await output.render(args, context);
  if (!rendering.ok) {
    const { code, message, resolution } = rendering;
    return { status: 'failed', code, message, ...(resolution === undefined ? {} : { resolution }) };
  }
  const name = output.nameFor(args);
  return {
    status: 'ok',
    output: { created: true, file_name: name, ...rendering.facts },
    file: { name, mediaType: output.mediaType, bytes: rendering.bytes },
  };
}

function firstSentence(text: string): string {
  const flat = text.replaceAll(/\s+/gu, ' ').trim();
  return /^.{1,300}?[.!?](?=\s|$)/u.exec(flat)?.[0] ?? flat.slice(0, 300);
}
