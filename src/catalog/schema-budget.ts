import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';

/** What one schema may cost. Compiling takes more than linear time in nested combinators. */
const MAX_BYTES = 1_048_576;
const MAX_DEPTH = 64;
const MAX_NODES = 50_000;
const MAX_UNDER_COMBINATORS = 2_000;

const COMBINATORS = new Set(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentSchemas']);

/** The first budget that a schema breaks, as a sentence; undefined when it keeps them all. Never recurses. */
export function findBudgetFault(schema: JsonObject): string | undefined {
  let nodes = 0;
  let combined = 0;
  const open: { value: JsonValue; depth: number; combined: boolean }[] = [
    { value: schema, depth: 0, combined: false },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes += 1;
    if (next.combined) combined += 1;
    if (next.depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    if (nodes > MAX_NODES) return `it has more than ${MAX_NODES} parts`;
    if (combined > MAX_UNDER_COMBINATORS) {
      return `more than ${MAX_UNDER_COMBINATORS} parts stand under anyOf, oneOf, allOf, not or if`;
    }
    for (const [key, value] of childrenOf(next.value)) {
      open.push({ value, depth: next.depth + 1, combined: next.combined || COMBINATORS.has(key) });
    }
  }
  return JSON.stringify(schema).length > MAX_BYTES ? `it is larger than ${MAX_BYTES} bytes` : undefined;
}

function childrenOf(value: JsonValue): [string, JsonValue][] {
  if (Array.isArray(value)) return value.map((item: JsonValue) => ['', item]);
  return isJsonObject(value) ? Object.entries(value).filter(([, inner]) => typeof inner === 'object') : [];
}
