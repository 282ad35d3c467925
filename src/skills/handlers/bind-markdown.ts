import type { JsonObject } from '../../core/json.ts';
import type { SkillNote } from '../skill-fault.ts';
import type { RenderedTemplate } from '../template/render-template.ts';
import { bindTemplate } from './bind-template.ts';
import { escapeMarkdown } from './escape-markdown.ts';
import type { HandlerSource } from './handler.ts';
import { findMarkdownPlaces } from './markdown-places.ts';

export type BoundMarkdown =
  | { readonly ok: true; readonly fill: (args: JsonObject) => RenderedTemplate }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

/** A Markdown template whose values are literal text, whatever they hold. */
export function bindMarkdown(source: HandlerSource): BoundMarkdown {
  const bound = bindTemplate(source);
  if (!bound.ok) return bound;
  const { faults, placeOf } = findMarkdownPlaces(bound.template);
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    fill: (args) => tidy(bound.fill(args, (text, token) => escapeMarkdown(text, placeOf(token)))),
  };
}

/** Sections that were left out leave blank lines behind. */
function tidy(rendered: RenderedTemplate): RenderedTemplate {
  if (!rendered.ok) return rendered;
  return { ok: true, text: `${rendered.text.replaceAll(/\n[ \t]*(?:\n[ \t]*)+\n/gu, '\n\n').trim()}\n` };
}
