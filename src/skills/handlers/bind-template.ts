import type { JsonObject } from '../../core/json.ts';
import { decodeText } from '../decode-text.ts';
import type { SkillNote } from '../skill-fault.ts';
import { checkVariables } from '../template/check-variables.ts';
import { renderTemplate, type EscapeValue, type RenderedTemplate } from '../template/render-template.ts';
import { rootNode } from '../template/schema-scope.ts';
import { parseTemplate, type Template } from '../template/template.ts';
import { toView } from '../template/to-view.ts';
import type { HandlerSource } from './handler.ts';

export type BoundTemplate =
  | {
      readonly ok: true;
      readonly template: Template;
      readonly fill: (args: JsonObject, escape: EscapeValue) => RenderedTemplate;
    }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

/** A template file as one document: read, taken apart, its variables held against the schema. */
export function bindTemplate(source: HandlerSource): BoundTemplate {
  const decoded = decodeText(source.bytes);
  if (!decoded.ok) return { ok: false, faults: [{ file: source.file, message: decoded.message }] };
  const parsed = parseTemplate(decoded.text.replaceAll('\r\n', '\n'), source.file);
  if (!parsed.ok) return parsed;
  const { template } = parsed;
  const root = rootNode(source.inputSchema);
  const faults = checkVariables(template, [root]);
  if (faults.length > 0) return { ok: false, faults };
  return {
    ok: true,
    template,
    fill: (args, escape) => renderTemplate(template, [toView(args, root)], escape),
  };
}
