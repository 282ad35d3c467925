const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

// Zalgo text: a base with thousands of marks is one grapheme, and shaping is not linear.
const MAX_CODE_POINTS = 32;

/** The user-perceived characters of a text (UAX 29), those of absurd length in parts. */
export function splitGraphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment).flatMap(cutLong);
}

function cutLong(grapheme: string): string[] {
  if (grapheme.length <= MAX_CODE_POINTS) return [grapheme];
  const points = Array.from(grapheme);
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += MAX_CODE_POINTS) {
    parts.push(points.slice(at, at + MAX_CODE_POINTS).join(''));
  }
  return parts;
}
