export const MAX_JSON_DEPTH = 64;

/** What one pass over JSON text tells about it, without building anything. */
export interface JsonShape {
  /** Where the first array or object opens that is nested too deep; -1 when none is. */
  readonly tooDeepAt: number;
  /** Colons outside strings: as many as keys were written, if the text is JSON. */
  readonly keyCount: number;
  /** False when no number in it can lose digits and no key or half character can hide. */
  readonly needsFullCheck: boolean;
}

/**
 * Sixteen digits may be more than a double holds or tells from 0, an exponent may be more than it reaches; only `\u` can spell half a
 * character or hide a key. The other escapes stand for one harmless character each.
 */
const SUSPICIOUS = /\\u|\d{16}|\d[eE][+-]?\d|__proto__|"prototype"/u;

/** Runs over the text once, never recursing, so that any nesting is safe. Any text may be given. */
export function scanShape(text: string): JsonShape {
  let depth = 0;
  let keyCount = 0;
  let tooDeepAt = -1;
  for (let at = 0; at < text.length && tooDeepAt < 0; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > MAX_JSON_DEPTH) tooDeepAt = at;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x3a: // :
        keyCount += 1;
        break;
      default:
    }
  }
  return { tooDeepAt, keyCount, needsFullCheck: SUSPICIOUS.test(text) };
}

/** The index of the quote that ends the string opening at `start`; the last index of the text if none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
  }
  return text.length - 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 0x5c) before -= 1; // backslash
  return (at - before) % 2 === 0;
}
