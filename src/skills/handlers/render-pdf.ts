import type { Typesetter } from '../../typeset/typesetter.ts';
import { bindMarkdown } from './bind-markdown.ts';
import { TOO_LONG, type SkillHandler } from './handler.ts';
import { toBlocks } from './markdown-to-blocks.ts';

/** Markdown set as a PDF. A level 1 heading at the top becomes the title of the document. */
export function createRenderPdf(typesetter: Pick<Typesetter, 'typeset'>): SkillHandler {
  return {
    mediaTypes: ['application/pdf'],
    lane: 'worker',
    bind: (source) => {
      const bound = bindMarkdown(source);
      if (!bound.ok) return bound;
      return {
        ok: true,
        render: async (args, { signal }) => {
          const markdown = bound.fill(args);
          if (!markdown.ok) return TOO_LONG;
          const { title, blocks } = toBlocks(markdown.text);
          const { bytes, pages, undrawn } = await typesetter.typeset(
            {
              ...(title === undefined ? {} : { title }),
              language: source.language,
              pageNumbers: true,
              blocks,
            },
            signal,
          );
          const missing = undrawn === undefined ? {} : { undrawn: { ...undrawn } };
          return { ok: true, bytes, facts: { pages, ...missing } };
        },
      };
    },
  };
}
