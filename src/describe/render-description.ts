import { ERROR_CODES, type ErrorCode } from '../core/error-codes.ts';
import { isThirdParty, type ToolErrorNote, type ToolReturns, type ToolSpec } from '../core/tool.ts';
import { FENCE_NOTE, fenceThirdParty } from './fence-third-party.ts';
import { typeLabel } from './describe-shape.ts';
import { renderParameters } from './render-parameters.ts';
import { schemaMap } from './read-schema.ts';

/** All that a description document is made from; every ToolSpec is one. */
export type Describable = Pick<
  ToolSpec,
  'name' | 'description' | 'inputSchema' | 'triggers' | 'examples' | 'returns' | 'errors'
>;

/**
 * A tool as one markdown document in seed 3's fixed order: name, description, When to Use, Parameters, Returns,
 * Errors. Errors are the tool's own, then those that the broker can give for it. Texts of third parties
 * stand in fences.
 */
export function renderDescription(spec: ToolSpec): string {
  const returns = returnsOf(spec);
  const sections = sectionsOf(returns === undefined ? spec : { ...spec, returns });
  const shared = renderErrors(brokerErrors(spec));
  const files = spec.takesFiles === true ? FILES_NOTE : '';
  if (!isThirdParty(spec.origin)) {
    return assemble({
      ...sections,
      parameters: joinLines(sections.parameters, files),
      errors: joinLines(sections.errors, shared),
    });
  }
  const fence = (text: string): string => (text === '' ? '' : fenceThirdParty(text));
  return assemble({
    name: spec.name,
    description: `${FENCE_NOTE}\n\n${fence(sections.description)}`,
    usage: fence(sections.usage),
    parameters: joinLines(fence(sections.parameters), files),
    returns: fence(sections.returns),
    errors: joinLines(fence(sections.errors), shared),
  });
}

const FILES_NOTE =
  '\nA call may bring files beside its arguments, in `files`: each `{"name", "base64"}`, or `{"name", "artifact_id"}` for one ' +
  'that an earlier call answered with. Arguments speak of a file by its name.';

/** The same document without fences: to be measured, never to be put before a model. */
export function renderUnfenced(spec: ToolSpec): string {
  const sections = wholeSections(spec);
  return assemble({ ...sections, errors: joinLines(sections.errors, renderErrors(brokerErrors(spec))) });
}

function wholeSections(spec: ToolSpec): Sections {
  const returns = returnsOf(spec);
  return sectionsOf(returns === undefined ? spec : { ...spec, returns });
}

/** The document by itself, with nothing added: what seed 3's `generate_tool_description` gives. */
export function renderDocument(tool: Describable): string {
  return assemble(sectionsOf(tool));
}

interface Sections {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly parameters: string;
  readonly returns: string;
  readonly errors: string;
}

function sectionsOf(tool: Describable): Sections {
  return {
    name: tool.name,
    description: tool.description,
    usage: renderUsage(tool),
    parameters: renderParameters(tool.inputSchema),
    returns: tool.returns === undefined ? '' : renderReturns(tool.returns),
    errors: renderErrors(tool.errors ?? []),
  };
}

function assemble(sections: Sections): string {
  return `
## ${sections.name}

${sections.description}

### When to Use
${sections.usage}

### Parameters
${sections.parameters}

### Returns
${sections.returns || 'No return value documented.'}

### Errors
${sections.errors || 'No error conditions documented.'}
`;
}

function joinLines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/** The When to Use section alone: triggers, then examples; empty when there are none. */
export function renderUsage(tool: Pick<Describable, 'name' | 'triggers' | 'examples'>): string {
  const lines = (tool.triggers ?? []).map((trigger) => `- When ${trigger}`);
  const examples = tool.examples ?? [];
  if (examples.length > 0) lines.push('\n**Examples**:\n');
  for (const example of examples) {
    lines.push(`- Input: ${example.input}`, `  Output: ${tool.name}(${JSON.stringify(example.arguments)})`);
  }
  return lines.join('\n');
}

function renderReturns(returns: ToolReturns): string {
  const members = schemaMap(returns.properties).map(([name, schema]) => {
    const note =
      typeof schema === 'object' && typeof schema['description'] === 'string'
        ? `: ${schema['description']}`
        : '';
    return `- **${name}** (${typeLabel(schema, returns.properties ?? {})})${note}`;
  });
  return [`${returns.type} -- ${returns.description}`, ...members].join('\n');
}

function renderErrors(errors: readonly ToolErrorNote[]): string {
  return errors.map((error) => `- **${error.code}**: ${error.description} -- ${error.resolution}`).join('\n');
}

/** What the broker itself answers with when a tool says nothing, and the file it can come with. */
function returnsOf(spec: ToolSpec): ToolReturns | undefined {
  const files = spec.produces ?? [];
  const own = spec.returns ?? (spec.origin.startsWith('package:') ? COMMAND_RETURNS : undefined);
  if (files.length === 0) return own;
  const file = `Comes with a file: ${files.join(', ')}.`;
  if (own === undefined) return { type: 'object', description: file };
  return { ...own, description: `${own.description.trimEnd()} ${file}`.trimStart() };
}

/** Design section 7: `output` of a command. */
const COMMAND_RETURNS: ToolReturns = {
  type: 'object',
  description: 'What the command printed.',
  properties: {
    exit_code: { type: 'integer', description: '0 on success.' },
    data: { description: 'The JSON object or array, when it printed exactly one.' },
    stdout: { type: 'string', description: 'The text otherwise.' },
  },
};

const COMMON = ['INVALID_INPUT', 'TIMEOUT'] as const satisfies readonly ErrorCode[];
const COMMAND = [
  'TOOL_FAILED',
  'TOOL_RETRY',
  'TOOL_NEEDS_ACTION',
  'TOOL_CRASHED',
  'TOOL_BROKEN',
  'RESULT_TOO_LARGE',
] as const satisfies readonly ErrorCode[];

const MEANINGS: Readonly<Record<(typeof COMMON)[number] | (typeof COMMAND)[number], string>> = {
  INVALID_INPUT: 'The arguments do not fit the parameters above',
  TIMEOUT: 'The call took longer than its limit',
  TOOL_FAILED: 'The command failed (exit code 1 or another)',
  TOOL_RETRY: 'The command says that calling again may work (exit code 2)',
  TOOL_NEEDS_ACTION: 'A person must act first (exit code 3)',
  TOOL_CRASHED: 'The command was ended by a signal',
  TOOL_BROKEN: 'The command did not start, or broke its contract',
  RESULT_TOO_LARGE: 'The answer or its file is over the size limit',
};

function brokerErrors(spec: ToolSpec): ToolErrorNote[] {
  const stated = new Set((spec.errors ?? []).map((error) => error.code));
  const codes = [
    ...COMMON,
    ...(spec.origin.startsWith('package:') ? COMMAND : []),
    ...((spec.produces ?? []).length > 0 ? (['RESULT_TOO_LARGE'] as const) : []),
  ];
  return [...new Set(codes)]
    .filter((code) => !stated.has(code))
    .map((code) => ({ code, description: MEANINGS[code], resolution: ERROR_CODES[code].resolution }));
}
