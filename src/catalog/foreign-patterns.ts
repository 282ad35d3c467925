import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { isReadablePattern } from './linear-pattern.ts';

/** The schema without the patterns that are in another language than ours, and those patterns. Depth was checked before. */
export function splitForeignPatterns(schema: JsonObject): {
  readonly rest: JsonObject;
  readonly foreign: readonly string[];
} {
  const foreign: string[] = [];
  const isForeign = (source: JsonValue | undefined): boolean => {
    if (typeof source !== 'string' || isReadablePattern(source)) return false;
    foreign.push(source);
    return true;
  };
  const strip = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map((item: JsonValue) => strip(item));
    if (!isJsonObject(value)) return value;
    const kept = Object.entries(value).flatMap(([key, inner]) => {
      if (key === 'pattern' && isForeign(inner)) return [];
      const members = key === 'patternProperties' && isJsonObject(inner) ? withoutForeign(inner) : inner;
      return [[key, strip(members)] as const];
    });
    return Object.fromEntries(kept);
  };
  const withoutForeign = (members: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(members).filter(([source]) => !isForeign(source)));
  const rest = strip(schema) as JsonObject;
  return { rest, foreign };
}
