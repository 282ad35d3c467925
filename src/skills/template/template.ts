import mustache from 'mustache';

import { quote } from '../../core/quote.ts';
import { SKILL_LIMITS } from '../limits.ts';
import type { SkillNote } from '../skill-fault.ts';
import { placeInText } from '../text-place.ts';

/** Mustache's own token: type, value, start, end, and for sections the inner tokens and where they end. */
export type TemplateToken = [
  type: string,
  value: string,
  start: number,
  end: number,
  inner?: TemplateToken[],
  innerEnd?: number,
];

export interface Template {
  readonly tokens: readonly TemplateToken[];
  readonly noteAt: (token: TemplateToken, message: string) => SkillNote;
}

export type ParsedTemplate =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

const REFUSED_TAGS: ReadonlyMap<string, string> = new Map([
  ['>', 'a partial ({{> }}) is not allowed. Write its text here.'],
  ['=', 'other delimiters ({{= =}}) are not allowed. Keep {{ and }}.'],
  ['&', 'an unescaped value ({{{ }}} or {{& }}) is not allowed. Write {{name}}.'],
]);

/** Takes a Mustache template apart. Values are always escaped, so tags that would not are refused, as are partials. */
export function parseTemplate(text: string, file: string): ParsedTemplate {
  if (text.length > SKILL_LIMITS.maxTemplateCharacters) {
    const message = `has ${text.length} characters; a template may have ${SKILL_LIMITS.maxTemplateCharacters}.`;
    return { ok: false, faults: [{ file, message }] };
  }
  const noteAt = (token: TemplateToken, message: string): SkillNote => ({
    file,
    ...placeInText(text, token[2]),
    message,
  });
  try {
    const tokens = createUncachedWriter().parse(text) as TemplateToken[];
    const faults = walkTokens(tokens).flatMap((token) => {
      const refused = REFUSED_TAGS.get(token[0]);
      return refused === undefined ? [] : [noteAt(token, refused)];
    });
    return faults.length > 0 ? { ok: false, faults } : { ok: true, template: { tokens, noteAt } };
  } catch (error) {
    return { ok: false, faults: [describeSyntax(error, text, file)] };
  }
}

/** A section's inner tokens follow it, as in the text. */
function walkTokens(tokens: readonly TemplateToken[]): TemplateToken[] {
  return tokens.flatMap((token) => [token, ...walkTokens(innerOf(token))]);
}

/** Empty for what is no section; mustache keeps other things at this place of a partial. */
function innerOf(token: TemplateToken): readonly TemplateToken[] {
  return token[0] === '#' || token[0] === '^' ? (token[4] ?? []) : [];
}

/** A writer without mustache's process-wide cache of everything it ever parsed. */
export function createUncachedWriter(): InstanceType<typeof mustache.Writer> {
  const writer = new mustache.Writer();
  Object.assign(writer, { templateCache: undefined });
  return writer;
}

function describeSyntax(error: unknown, text: string, file: string): SkillNote {
  const said = error instanceof Error ? error.message : String(error);
  const offset = /^(.*) at (\d+)$/u.exec(said);
  if (offset === null) return { file, message: `is not a Mustache template: ${quote(said)}.` };
  const place = placeInText(text, Number(offset[2]));
  return { file, ...place, message: `is not a Mustache template: ${offset[1] ?? said}.` };
}
