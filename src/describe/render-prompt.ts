import { isThirdParty, type ToolSpec } from '../core/tool.ts';
import { defuse, FENCE_NOTE, fenceThirdParty } from './fence-third-party.ts';
import { calmSchema, fencedJson } from './third-party-schema.ts';

/** A methodology skill as the index shows it. */
interface PromptSkill {
  readonly name: string;
  readonly description: string;
  /** From an operator's own directory, not shipped with the service. */
  readonly thirdParty?: boolean;
}

/** A tool that is approved and could not be loaded. */
interface UnavailableTool {
  readonly name: string;
  readonly reason: string;
}

export interface PromptParts {
  readonly tools: readonly ToolSpec[];
  readonly skills?: readonly PromptSkill[];
  readonly unavailable?: readonly UnavailableTool[];
}

/**
 * What a runner appends to its system prompt (seed 2 A.2.4, B.10): the tools with their JSON schemas, those that
 * cannot be called now and why, and the index of skills. Sorted by name, so equal parts give equal bytes. Empty
 * when there is nothing to say. Third-party texts stand in fences.
 */
export function renderPrompt({ tools, skills = [], unavailable = [] }: PromptParts): string {
  const hasFence =
    tools.some((tool) => isThirdParty(tool.origin)) || skills.some((skill) => skill.thirdParty === true);
  const sections = [toolSection(tools), unavailableSection(unavailable), skillSection(skills)].filter(
    (section) => section !== '',
  );
  if (sections.length === 0) return '';
  return `${[...(hasFence ? [FENCE_NOTE] : []), ...sections].join('\n\n')}\n`;
}

function toolSection(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '';
  return [
    '## Tools available',
    'Call these by name as tools, with arguments that fit the JSON schema. They are not programs: never run a tool name in a shell.',
    ...tools.toSorted(byName).map(toolBlock),
  ].join('\n\n');
}

function toolBlock(tool: ToolSpec): string {
  const heading = `### ${tool.name}`;
  const text = tool.description.trim();
  if (!isThirdParty(tool.origin)) {
    return `${heading}\n\n${text === '' ? '_(no description)_' : text}\n\n${schemaBlock(JSON.stringify(tool.inputSchema, undefined, 2))}`;
  }
  const schema = schemaBlock(fencedJson(calmSchema(tool.inputSchema)));
  return `${heading}\n\n${fenceThirdParty(text === '' ? '_(no description)_' : text, schema)}`;
}

function schemaBlock(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}

function unavailableSection(unavailable: readonly UnavailableTool[]): string {
  if (unavailable.length === 0) return '';
  const lines = unavailable
    .toSorted(byName)
    .map(({ name, reason }) => `- \`${inline(name).replaceAll('`', "'")}\`: ${inline(reason)}`);
  return [
    '## Tools that are unavailable right now',
    'Approved, but they could not be loaded. Do not call them, and do not send anybody to switch them on: the operator has to mend them.',
    lines.join('\n'),
  ].join('\n\n');
}

function skillSection(skills: readonly PromptSkill[]): string {
  if (skills.length === 0) return '';
  const lines = skills.toSorted(byName).map(skillLine);
  return [
    '## Available skills',
    'Call `read_skill` with a name from this list to read how it is done, before you start on such a task.',
    lines.join('\n'),
  ].join('\n\n');
}

function skillLine({ name, description, thirdParty = false }: PromptSkill): string {
  return thirdParty
    ? `- \`${name}\`:\n${fenceThirdParty(description.trim())}`
    : `- \`${name}\`: ${oneLine(description)}`;
}

/** A text that may quote files of others, kept on one line. */
function inline(text: string): string {
  return oneLine(defuse(text)).slice(0, 500);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
