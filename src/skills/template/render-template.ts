import mustache from 'mustache';

import { SKILL_LIMITS } from '../limits.ts';
import { createUncachedWriter, type Template, type TemplateToken } from './template.ts';
import type { View } from './to-view.ts';

/** Makes one value safe where it stands; the token says where that is. */
export type EscapeValue = (text: string, token: TemplateToken) => string;

export type RenderedTemplate = { readonly ok: true; readonly text: string } | { readonly ok: false };

/** Fills a template that was checked. `contexts`: outermost first. Not ok when the text would grow past the limit. */
export function renderTemplate(
  template: Template,
  contexts: readonly View[],
  escape: EscapeValue,
): RenderedTemplate {
  let units = 0;
  const meter = (text: string): string => {
    units += text.length;
    if (units > SKILL_LIMITS.maxRenderedUnits) throw OVERFLOW;
    return text;
  };
  const writer = createUncachedWriter();
  Object.assign(writer, {
    rawValue: (token: TemplateToken) => meter(token[1]),
    escapedValue: (token: TemplateToken, context: { lookup: (name: string) => View | undefined }) => {
      const value = context.lookup(token[1]);
      if (typeof value !== 'string' && typeof value !== 'boolean') return '';
      return meter(escape(String(value), token));
    },
  });
  try {
    return { ok: true, text: writer.renderTokens(template.tokens as never, toContext(contexts)) };
  } catch (error) {
    if (error === OVERFLOW) return { ok: false };
    throw error;
  }
}

const OVERFLOW = new Error('the rendered text is too long');

function toContext(views: readonly View[]): InstanceType<typeof mustache.Context> {
  const [outermost = null, ...inner] = views;
  let context = new mustache.Context(outermost);
  for (const view of inner) context = context.push(view);
  return context;
}
