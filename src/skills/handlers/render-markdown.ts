import { bindMarkdown } from './bind-markdown.ts';
import { TOO_LONG, type SkillHandler } from './handler.ts';

/** A Markdown document. Values are literal text: none can open a heading, a list, a link or a table cell. */
export const renderMarkdown: SkillHandler = {
  mediaTypes: ['text/markdown', 'text/plain'],
  lane: 'inline',
  bind: (source) => {
    const bound = bindMarkdown(source);
    if (!bound.ok) return bound;
    return {
      ok: true,
      render: (args) => {
        const document = bound.fill(args);
        return Promise.resolve(
          document.ok ? { ok: true, bytes: Buffer.from(document.text, 'utf8'), facts: {} } : TOO_LONG,
        );
      },
    };
  },
};
