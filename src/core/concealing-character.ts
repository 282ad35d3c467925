export type ConcealedKind =
  | 'tag character'
  | 'zero-width'
  | 'bidi control'
  | 'variation selector'
  | 'control'
  | 'filler';

/** All of these at a glance, so that plain text costs nothing. */
export const SUSPECT =
  /(?![\t\n\r])[\p{Cf}\p{Cc}\p{Cs}\u2028\u2029\u2800\u3164\uFFA0\u115F\u1160\u{E0000}-\u{E0FFF}]|\u034F|\u17B4|\u17B5|[\u180B-\u180F]|[\uFE00-\uFE0F]/u;

const KINDS: readonly (readonly [ConcealedKind, RegExp])[] = [
  ['tag character', /^[\u{E0000}-\u{E007F}]$/u],
  ['variation selector', /^(?:[\uFE00-\uFE0F]|[\u180B-\u180D]|\u180F|[\u{E0100}-\u{E01EF}])$/u],
  ['bidi control', /^[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]$/u],
  ['filler', /^(?:\u034F|\u17B4|\u17B5|[\u115F\u1160\u2800\u3164\uFFA0]|[\u{E0080}-\u{E0FFF}])$/u],
  ['control', /^(?![\t\n\r])[\p{Cc}\p{Cs}\u2028\u2029]$/u],
  // Arabic number signs and such are format characters that show.
  ['zero-width', /^(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}$/u],
];

/** How the character at `at` hides from a reader; undefined when it shows, or spelling or an emoji needs it there. */
export function concealedKind(characters: readonly string[], at: number): ConcealedKind | undefined {
  const character = characters[at] ?? '';
  if (!SUSPECT.test(character)) return undefined;
  const kind = KINDS.find(([, pattern]) => pattern.test(character))?.[0];
  return kind === undefined || isWritten(kind, characters, at) ? undefined : kind;
}

/** Which selectors people write after what: emoji style, glyph forms of symbols, Han and Mongolian. */
const VARIED: readonly (readonly [selector: RegExp, base: RegExp])[] = [
  [/^[\uFE0E\uFE0F]$/u, /^[\p{Emoji}\p{S}]$/u],
  [
    /^[\uFE00-\uFE02]$/u,
    /^[\p{Script=Han}\p{Sm}\p{Script=Myanmar}\u3001\u3002\uFF01\uFF0C\uFF0E\uFF1A\uFF1B\uFF1F]$/u,
  ],
  [/^(?:[\u180B-\u180D]|\u180F)$/u, /^\p{Script=Mongolian}$/u],
  [/^[\u{E0100}-\u{E01EF}]$/u, /^\p{Script=Han}$/u],
];

/** Scripts whose spelling uses U+200C and U+200D. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Mongolian}]$/u;

function isWritten(kind: ConcealedKind, characters: readonly string[], at: number): boolean {
  const [before = '', character = '', after = ''] = [characters[at - 1], characters[at], characters[at + 1]];
  if (kind === 'tag character') return isInsideFlag(characters, at);
  if (kind === 'variation selector') {
    return VARIED.some(([selector, base]) => selector.test(character) && base.test(before));
  }
  if (character !== '\u200C' && character !== '\u200D') return false;
  if (JOINING.test(before) && JOINING.test(after)) return true;
  return (
    character === '\u200D' &&
    /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u.test(before) &&
    /^\p{Extended_Pictographic}$/u.test(after)
  );
}

/** England, Scotland, Wales: the flags that Unicode recommends for exchange (RGI_Emoji_Tag_Sequence). */
const TAGGED_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map((subdivision) =>
  Array.from(`\u{1F3F4}${toTags(subdivision)}\u{E007F}`),
);

function toTags(letters: string): string {
  return letters.replaceAll(/./gu, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)));
}

function isInsideFlag(characters: readonly string[], at: number): boolean {
  const start = characters.lastIndexOf('\u{1F3F4}', at);
  return (
    start >= 0 &&
    TAGGED_FLAGS.some(
      (flag) => at - start < flag.length && flag.every((one, offset) => characters[start + offset] === one),
    )
  );
}
