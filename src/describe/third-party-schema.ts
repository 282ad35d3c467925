import { replaceConcealed, stripConcealed } from '../core/concealed.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { breakFenceName } from './fence-third-party.ts';

const TEXTS = new Set(['title', 'description', '$comment']);

/**
 * A third party's schema with its texts made safe to show to a model: no concealed characters in them, no
 * imitation of a fence. Names and values stay as they are, since they are what has to be sent.
 */
export function calmSchema(schema: JsonObject): JsonObject {
  return calm(schema) as JsonObject;
}

function calm(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(calm);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      TEXTS.has(key) && typeof inner === 'string' ? breakFenceName(stripConcealed(inner)) : calm(inner),
    ]),
  );
}

/**
 * JSON, indented by two, non-ASCII characters as they are, that means the same and holds neither a concealed
 * character nor anything that looks like a tag: those are written as \u escapes.
 */
export function fencedJson(value: JsonValue): string {
  const text = JSON.stringify(value, undefined, 2).replaceAll(/[<\uFF1C\uFE64\u2039\u3008]/gu, escape);
  return replaceConcealed(text, escape);
}

function escape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
