import { quote } from '../../core/quote.ts';
import type { SkillNote } from '../skill-fault.ts';
import { itemOf, kindOf, propertyNamesOf, propertyOf, type SchemaNode } from './schema-scope.ts';
import type { Template, TemplateToken } from './template.ts';
import { LIST_FLAG_PREFIX } from './to-view.ts';

/** One context that Mustache looks names up in, innermost last. */
interface Scope {
  readonly node: SchemaNode;
  /** How many lists are open around it. */
  readonly lists: number;
}

interface Found {
  readonly node: SchemaNode;
  readonly scope: Scope;
  /** True for `has_<list>`. */
  readonly isFlag: boolean;
}

/**
 * Every variable that the arguments cannot fill, and every use that would print nonsense. `nodes` are the schemas of
 * the contexts that the template starts in, the outermost first.
 */
export function checkVariables(template: Template, nodes: readonly SchemaNode[]): readonly SkillNote[] {
  const scopes = nodes.map((node, index) => ({ node, lists: index === 0 ? 0 : 1 }));
  return checkTokens(template, template.tokens, scopes);
}

function checkTokens(
  template: Template,
  tokens: readonly TemplateToken[],
  scopes: readonly Scope[],
): readonly SkillNote[] {
  return tokens.flatMap((token) => {
    if (token[0] === 'text' || token[0] === '!') return [];
    const found = lookUp(token[1], scopes);
    if (typeof found === 'string') return [template.noteAt(token, found)];
    if (token[0] === 'name')
      return describeBadValue(token[1], found).map((text) => template.noteAt(token, text));
    return checkSection(template, token, { found, scopes });
  });
}

function checkSection(
  template: Template,
  token: TemplateToken,
  { found, scopes }: { found: Found; scopes: readonly Scope[] },
): readonly SkillNote[] {
  const inner = token[4] ?? [];
  const kind = found.isFlag ? 'flag' : kindOf(found.node);
  const here = scopes.at(-1)?.lists ?? 0;
  if (token[0] === '^' || kind === 'flag') return checkTokens(template, inner, scopes);
  if (kind === 'unknown') return [template.noteAt(token, untyped(token[1]))];
  if (kind === 'list' && found.scope.lists < here) {
    const message = `${quote(token[1])} is a list of an outer level and cannot be opened inside another list.`;
    return [template.noteAt(token, message)];
  }
  const next =
    kind === 'list' ? { node: itemOf(found.node), lists: here + 1 } : { node: found.node, lists: here };
  return checkTokens(template, inner, [...scopes, next]);
}

function describeBadValue(name: string, found: Found): string[] {
  if (found.isFlag) return [`${quote(name)} only says whether the list has entries. Open a section with it.`];
  const kind = kindOf(found.node);
  if (kind === 'list') return [`${quote(name)} is a list. Open a section: {{#${name}}}…{{/${name}}}.`];
  if (kind === 'object') return [`${quote(name)} is an object. Name one of its members.`];
  return kind === 'unknown' ? [untyped(name)] : [];
}

function untyped(name: string): string {
  return `${quote(name)} has no single type in input_schema. Give it one.`;
}

/** The schema behind a name, or what is wrong with the name. */
function lookUp(name: string, scopes: readonly Scope[]): Found | string {
  const innermost = scopes.at(-1);
  if (name === '.' && innermost !== undefined)
    return { node: innermost.node, scope: innermost, isFlag: false };
  const [first = '', ...rest] = name.split('.');
  if (first in Object.prototype) return `${quote(name)} is not a name that a template can use.`;
  const holders = scopes.filter(({ node }) => findMember(node, first) !== undefined);
  const scope = holders.at(-1);
  if (scope === undefined) return describeUnknown(name, scopes);
  if (rest.length > 0 && holders.length > 1) {
    return `${quote(first)} stands at two levels, so ${quote(name)} is not clear. Open a section for it.`;
  }
  return followPath({ name, rest }, scope, findMember(scope.node, first));
}

function followPath(
  { name, rest }: { name: string; rest: readonly string[] },
  scope: Scope,
  start: Omit<Found, 'scope'> | undefined,
): Found | string {
  let member = start;
  for (const part of rest) {
    if (member === undefined || part in Object.prototype || kindOf(member.node) !== 'object')
      member = undefined;
    else member = findMember(member.node, part);
  }
  return member === undefined ? describeUnknown(name, [scope]) : { ...member, scope };
}

function findMember(node: SchemaNode, name: string): Omit<Found, 'scope'> | undefined {
  const declared = propertyOf(node, name);
  if (declared !== undefined) return { node: declared, isFlag: false };
  if (!name.startsWith(LIST_FLAG_PREFIX)) return undefined;
  const list = propertyOf(node, name.slice(LIST_FLAG_PREFIX.length));
  return list !== undefined && kindOf(list) === 'list' ? { node: list, isFlag: true } : undefined;
}

function describeUnknown(name: string, scopes: readonly Scope[]): string {
  const known = [...new Set(scopes.flatMap(({ node }) => propertyNamesOf(node)))];
  const shown = known.length === 0 ? 'none' : known.slice(0, 20).join(', ');
  return `${quote(name)} is not in input_schema. Known here: ${shown}.`;
}
