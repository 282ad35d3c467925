import { quote } from '../../core/quote.ts';
import type { SkillNote } from '../skill-fault.ts';
import { checkVariables } from '../template/check-variables.ts';
import { itemOf, kindOf, propertyOf, rootNode, type SchemaNode } from '../template/schema-scope.ts';
import { parseTemplate, type Template } from '../template/template.ts';
import type { HandlerSource } from './handler.ts';

export type BoundPart<T> =
  | { readonly ok: true; readonly value: T; readonly faults?: never }
  | { readonly ok: false; readonly faults: readonly SkillNote[] };

/** The scopes of one entry of the list: the whole arguments, then the entry. */
export function findListScopes(
  source: HandlerSource,
  list: string,
): BoundPart<readonly [SchemaNode, SchemaNode]> {
  const root = rootNode(source.inputSchema);
  const property = propertyOf(root, list);
  if (property !== undefined && kindOf(property) === 'list')
    return { ok: true, value: [root, itemOf(property)] };
  return {
    ok: false,
    faults: [{ file: source.file, message: `${quote(list)} is not a list in input_schema.` }],
  };
}

/** One Mustache text inside a JSON template. */
export function bindText(file: string, text: string, scopes: readonly SchemaNode[]): BoundPart<Template> {
  const parsed = parseTemplate(text, file);
  if (!parsed.ok) return parsed;
  const faults = checkVariables(parsed.template, scopes);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: parsed.template };
}
