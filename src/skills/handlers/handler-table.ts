import type { Typesetter } from '../../typeset/typesetter.ts';
import type { SkillHandler } from './handler.ts';
import { renderCalendar } from './render-calendar.ts';
import { renderCsv } from './render-csv.ts';
import { renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { createRenderPdf } from './render-pdf.ts';

/** Every handler there is, by the name that `tool.json` gives. A map, so that no name reaches a prototype. */
export type HandlerTable = ReadonlyMap<string, SkillHandler>;

export function createHandlerTable(typesetter: Pick<Typesetter, 'typeset'>): HandlerTable {
  return new Map([
    ['render_calendar', renderCalendar],
    ['render_csv', renderCsv],
    ['render_html', renderHtml],
    ['render_markdown', renderMarkdown],
    ['render_pdf', createRenderPdf(typesetter)],
  ]);
}
