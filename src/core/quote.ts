const MAX_SHOWN = 80;

/** A received value as an error may show it: JSON-escaped, shortened, control and concealed characters spelled out. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const points = Array.from(text.slice(0, MAX_SHOWN * 4));
  const shown = points.length > MAX_SHOWN ? `${points.slice(0, MAX_SHOWN).join('')}…` : points.join('');
  return shown.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, escapeCodePoint);
}

function escapeCodePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
