import { createRequire } from 'node:module';
import { RE2JS } from 're2js';
import type { checkSync as CheckSync } from 'recheck';

/** What Ajv asks of a regular expression. */
interface Pattern {
  test(text: string): boolean;
  /** Ajv keeps one matcher for each text that this gives, so it must tell patterns apart. */
  toString(): string;
}

/**
 * A JSON Schema pattern as a matcher whose time is linear in the text, whatever the text: RE2 where it can take
 * the pattern, else the engine's own where recheck proves it harmless (look-around, back-references).
 * RE2's `\s` knows the ASCII spaces only. Throws a sentence when the pattern is neither.
 */
export function linearPattern(source: string): Pattern {
  const translated = tryRe2(source);
  if (translated !== undefined) return translated;
  const native = new RegExp(source, 'u');
  if (checkPattern(source).status !== 'safe') {
    throw new Error(
      `pattern ${JSON.stringify(source)} can take exponential time; write it without nested repeats`,
    );
  }
  return native;
}

/** Whether it is a pattern here at all, fast or not. Python and others know forms that neither engine does. */
export function isReadablePattern(source: string): boolean {
  if (tryRe2(source) !== undefined) return true;
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function tryRe2(source: string): Pattern | undefined {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => compiled.test(text), toString: () => source };
  } catch {
    return undefined;
  }
}

/** Loaded on first use: it costs 90 ms, and few schemas need it. */
function checkPattern(source: string): { status: string } {
  const { checkSync } = createRequire(import.meta.url)('recheck') as { checkSync: typeof CheckSync };
  return checkSync(source, 'u');
}
