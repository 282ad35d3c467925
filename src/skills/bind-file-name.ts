import type { JsonObject } from '../core/json.ts';
import type { SkillNote } from './skill-fault.ts';
import { checkVariables } from './template/check-variables.ts';
import { renderTemplate } from './template/render-template.ts';
import { rootNode } from './template/schema-scope.ts';
import { parseTemplate } from './template/template.ts';
import { toView } from './template/to-view.ts';

export type BoundFileName =
  | { readonly ok: true; readonly nameFor: (args: JsonObject) => string }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

const ENDING = /\.[a-z0-9]{1,10}$/u;
const MAX_STEM_CHARACTERS = 80;
/** File systems take 255 bytes; this leaves room for what a download adds. */
const MAX_STEM_BYTES = 200;

/** A file name pattern: a Mustache text with a literal ending. The name is safe whatever the arguments hold. */
export function bindFileName(pattern: string, file: string, inputSchema: JsonObject): BoundFileName {
  const ending = ENDING.exec(pattern)?.[0];
  if (ending === undefined) {
    return { ok: false, faults: [{ file, message: 'file_name must end in a literal ending such as .pdf.' }] };
  }
  const parsed = parseTemplate(pattern.slice(0, -ending.length), file);
  if (!parsed.ok) return parsed;
  const root = rootNode(inputSchema);
  const faults = checkVariables(parsed.template, [root]);
  if (faults.length > 0) return { ok: false, faults };
  const nameFor = (args: JsonObject): string => {
    const rendered = renderTemplate(parsed.template, [toView(args, root)], (text) => text.slice(0, 1000));
    return `${toStem(rendered.ok ? rendered.text : '')}${ending}`;
  };
  return { ok: true, nameFor };
}

function toStem(text: string): string {
  const kept = text
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}\-_. \n\t]/gu, '')
    .trim()
    .replaceAll(/[\s-]+/gu, '-');
  let points = Array.from(kept).slice(0, MAX_STEM_CHARACTERS);
  while (Buffer.byteLength(points.join('')) > MAX_STEM_BYTES) points = points.slice(0, -1);
  return points.join('').replaceAll(/^[-.]+|[-.]+$/gu, '') || 'document';
}
