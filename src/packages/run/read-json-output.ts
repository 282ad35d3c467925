import { visit } from 'jsonc-parser';

import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { MAX_TEXT_CHARACTERS } from './shape-output.ts';

const MAX_DEPTH = 64;
const BOM = '\uFEFF';

/**
 * The one JSON object or array that this text is, after one BOM and white space are taken off; else undefined, and
 * it is text. Nothing is guessed, and nothing may be lost on the way: duplicate keys, numbers that a double
 * cannot hold, `__proto__` and deep nests all make it text.
 */
export function readJsonOutput(stdout: string): JsonObject | readonly JsonValue[] | undefined {
  const text = stdout.startsWith(BOM) ? stdout.slice(1) : stdout;
  const document = text.trim();
  if (!/^[[{]/u.test(document) || Array.from(document).length > MAX_TEXT_CHARACTERS) return undefined;
  if (!isLossless(text)) return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLossless(text: string): boolean {
  const keys: Set<string>[] = [];
  let depth = 0;
  let isSound = true;
  const enter = (): boolean => {
    depth += 1;
    if (depth > MAX_DEPTH) isSound = false;
    return isSound;
  };
  const leave = (): void => {
    depth -= 1;
  };
  visit(text, {
    onObjectBegin: () => {
      keys.push(new Set());
      return enter();
    },
    onObjectEnd: () => {
      keys.pop();
      leave();
    },
    onArrayBegin: enter,
    onArrayEnd: leave,
    onObjectProperty: (key) => {
      const seen = keys.at(-1);
      if (key === '__proto__' || seen?.has(key) === true) isSound = false;
      seen?.add(key);
    },
    onLiteralValue: (value: unknown, offset, length) => {
      if (typeof value === 'number' && !isExact(value, text.slice(offset, offset + length))) isSound = false;
    },
    onError: () => {
      isSound = false;
    },
  });
  return isSound;
}

/** A whole number must print as it was written; a fraction is rounded to the nearest double, as everywhere. */
function isExact(value: number, written: string): boolean {
  if (!Number.isFinite(value)) return false;
  return !/^-?\d+$/u.test(written) || String(value) === written || BigInt(written) === BigInt(value);
}
