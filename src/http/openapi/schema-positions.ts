/** Keywords of JSON Schema (drafts 7 to 2020-12) by what stands under them. Nothing else holds a schema. */
const SINGLE: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

export function isSingleSchema(keyword: string): boolean {
  return SINGLE.has(keyword);
}

export function isSchemaList(keyword: string): boolean {
  return LISTS.has(keyword);
}

export function isSchemaMap(keyword: string): boolean {
  return MAPS.has(keyword);
}
