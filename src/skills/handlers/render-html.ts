import mustache from 'mustache';

import { bindTemplate } from './bind-template.ts';
import { TOO_LONG, type SkillHandler } from './handler.ts';
import { checkHtmlPlaces } from './html-places.ts';

/** An HTML page. Values are escaped and stand in text only, so that no value becomes markup, style or script. */
export const renderHtml: SkillHandler = {
  mediaTypes: ['text/html'],
  lane: 'inline',
  bind: (source) => {
    const bound = bindTemplate(source);
    if (!bound.ok) return bound;
    const faults = checkHtmlPlaces(bound.template);
    if (faults.length > 0) return { ok: false, faults };
    return {
      ok: true,
      render: (args) => {
        const page = bound.fill(args, (text) => mustache.escape(text));
        return Promise.resolve(
          page.ok ? { ok: true, bytes: Buffer.from(page.text, 'utf8'), facts: {} } : TOO_LONG,
        );
      },
    };
  },
};
