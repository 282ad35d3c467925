/** A JSON value as RFC 8259 has it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same bytes for the same value, whatever order its keys were written in (as RFC 8785 sorts them). */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(byKey)) : inner,
  );
}

function byKey(a: readonly [string, JsonValue], b: readonly [string, JsonValue]): number {
  return a[0] < b[0] ? -1 : 1;
}
