// oxlint-disable-next-line no-control-regex -- separators that Python counts as line breaks
const LINE_BREAK = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/u;
const SPACE = /[\t\p{Zs}]/u;
const NO_BREAK_SPACE = '\u00a0\u2007\u202f';
const SPACES = new RegExp(`(?![${NO_BREAK_SPACE}])${SPACE.source}`, 'gu');
const UNPRINTABLE = /[\p{Cc}\u00ad\ufeff]/gu;

/** The lines of a text as Python's `str.splitlines` finds them: a line break at the end opens no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split(LINE_BREAK);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * One line ready to be set: composed (NFC), every kind of space a plain one (no-break spaces stay), controls, soft
 * hyphens and byte order marks gone. Lone surrogates stay, to be shown and counted as undrawn.
 */
export function cleanLine(line: string): string {
  return line.normalize('NFC').replaceAll(SPACES, ' ').replaceAll(UNPRINTABLE, '');
}

/** As `cleanLine`, with runs of spaces as one and none at the ends. */
export function cleanProse(line: string): string {
  return cleanLine(line).replaceAll(/ {2,}/gu, ' ').trim();
}
