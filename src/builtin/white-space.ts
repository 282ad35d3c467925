// What Python's str.split and str.strip take for white space, and what JavaScript does besides.
// oxlint-disable-next-line no-control-regex -- separators that Python counts as white space
const WHITE_SPACE = /[\s\x1c-\x1f\x85]+/gu;

/** Every run of white space as one space, none at the ends. */
export function collapseSpace(text: string): string {
  return text.replaceAll(WHITE_SPACE, ' ').trim();
}

/** A text with more than white space in it. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && collapseSpace(value) !== '';
}
