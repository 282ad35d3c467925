import type { JsonObject } from '../core/json.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import type { Shelf, ShelfFile, ShelfSkill } from '../core/shelf.ts';
import { isThirdParty, type Tool, type ToolResult } from '../core/tool.ts';
import { MAX_FILE_TEXT_CHARACTERS, READ_SKILL_SPEC } from './read-skill-spec.ts';
import { textOf } from './text-of.ts';

/** Names that an answer lists at most. */
const MAX_LISTED = 20;

/** `read_skill@1` of seed 2: the methodology skills of this caller's shelf. Names and paths are looked up in maps. */
export const readSkillTool: Tool = {
  spec: READ_SKILL_SPEC,
  execute: (args, { shelf }) => Promise.resolve(readSkill(args, shelf)),
};

function readSkill(args: JsonObject, shelf: Shelf): ToolResult {
  const name = textOf(args['name']);
  const skill = shelf.read(name);
  if (skill === undefined) {
    const known = shelf.list().map((entry) => entry.name);
    return refuse(`name ${quote(name)} is no skill that can be read here. ${listKnown(name, known)}`);
  }
  if (args['file'] === undefined) return { status: 'ok', output: toOutput(skill) };
  const path = textOf(args['file']);
  const file = shelf.readFile(name, path);
  if (file !== undefined) return toFileResult(skill, file);
  const known = skill.files.map((entry) => entry.path);
  return refuse(`file ${quote(path)} does not belong to ${quote(name)}. ${listKnown(path, known)}`);
}

function refuse(message: string): ToolResult {
  return {
    status: 'failed',
    code: 'INVALID_INPUT',
    message,
    resolution: 'Use one of the names in `message`, exactly as it stands there.',
  };
}

function listKnown(wanted: string, known: readonly string[]): string {
  if (known.length === 0) return 'There is none.';
  const near = nearestNames(wanted, known, 5);
  const rest = known.filter((name) => !near.includes(name));
  const shown = [...near, ...rest].slice(0, MAX_LISTED).map((name) => quote(name));
  const more = known.length > shown.length ? ` (${shown.length} of ${known.length})` : '';
  return `Available${more}: ${shown.join(', ')}.`;
}

function toOutput(skill: ShelfSkill): JsonObject {
  const files = skill.files.map(({ path, sizeBytes, mediaType }) => {
    return { path, size_bytes: sizeBytes, media_type: mediaType };
  });
  return { name: skill.name, body: skill.body, files, ...flagOf(skill) };
}

function flagOf({ origin }: ShelfSkill): JsonObject {
  return isThirdParty(origin) ? { third_party: true } : {};
}

function toFileResult(skill: ShelfSkill, file: ShelfFile): ToolResult {
  const output = { name: skill.name, file: file.path, ...flagOf(skill) };
  const text = file.mediaType.startsWith('text/') ? new TextDecoder('utf-8').decode(file.bytes) : undefined;
  if (text !== undefined && isShort(text)) return { status: 'ok', output: { ...output, text } };
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  return { status: 'ok', output, file: { name, mediaType: file.mediaType, bytes: file.bytes } };
}

function isShort(text: string): boolean {
  return text.length <= MAX_FILE_TEXT_CHARACTERS || Array.from(text).length <= MAX_FILE_TEXT_CHARACTERS;
}
