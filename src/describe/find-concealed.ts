/** A run of characters that a reader does not see and a model does. Never carries the text that it hides. */
export interface Concealed {
  readonly kind: 'tag' | 'zero-width' | 'bidi' | 'control' | 'filler' | 'variation';
  /** Index of the first one, in code points. */
  readonly offset: number;
  readonly count: number;
}

/**
 * Characters that conceal: tag characters (U+E0000 block), zero-width and other invisible format characters,
 * direction controls, control characters but tab and line breaks, blank fillers, and variation selectors with nothing to vary.
 * Sequences that people write are none: emoji joined by U+200D, variation selectors after a visible
 * character, the flags of England, Scotland and Wales, joiners between letters of scripts that need them.
 */
export function findConcealed(text: string): Concealed[] {
  const found: { kind: Concealed['kind']; offset: number; count: number }[] = [];
  for (const { kind, offset } of scan(text)) {
    const last = found.at(-1);
    if (last !== undefined && last.kind === kind && last.offset + last.count === offset) last.count += 1;
    else found.push({ kind, offset, count: 1 });
  }
  return found;
}

/** The text without any concealed character. Taking one out can expose another, so it looks again. */
export function stripConcealed(text: string): string {
  const hidden = new Set([...scan(text)].map((one) => one.offset));
  if (hidden.size === 0) return text;
  const left = Array.from(text).filter((_, index) => !hidden.has(index));
  return stripConcealed(left.join(''));
}

function* scan(text: string): Generator<{ kind: Concealed['kind']; offset: number }> {
  if (!SUSPECT.test(text)) return;
  const characters = Array.from(text);
  const flags = flagOffsets(characters);
  for (const [offset, character] of characters.entries()) {
    if (!SUSPECT.test(character) || flags.has(offset)) continue;
    const kind = kindOf(character);
    if (kind !== undefined && !isWrittenByPeople(kind, characters, offset)) yield { kind, offset };
  }
}

/** A quick look, so that plain text costs nothing. */
const SUSPECT =
  /(?![\t\n\r])[\p{Cf}\p{Cc}\p{Cs}\u2028\u2029\u2800\u3164\uFFA0\u115F\u1160\u{E0000}-\u{E0FFF}]|\u034F|\u17B4|\u17B5|[\u180B-\u180F]|[\uFE00-\uFE0F]/u;

const KINDS: readonly (readonly [Concealed['kind'], RegExp])[] = [
  ['tag', /^[\u{E0000}-\u{E007F}]$/u],
  ['variation', /^(?:[\uFE00-\uFE0F]|[\u180B-\u180D]|\u180F|[\u{E0100}-\u{E01EF}])$/u],
  ['bidi', /^[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]$/u],
  ['filler', /^(?:\u034F|\u17B4|\u17B5|[\u115F\u1160\u2800\u3164\uFFA0]|[\u{E0080}-\u{E0FFF}])$/u],
  ['control', /^(?![\t\n\r])[\p{Cc}\p{Cs}\u2028\u2029]$/u],
  // Arabic number signs and such are format characters that show.
  ['zero-width', /^(?![\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}])\p{Cf}$/u],
];

function kindOf(character: string): Concealed['kind'] | undefined {
  return KINDS.find(([, pattern]) => pattern.test(character))?.[0];
}

function isWrittenByPeople(kind: Concealed['kind'], characters: readonly string[], offset: number): boolean {
  const before = characters[offset - 1] ?? '';
  const after = characters[offset + 1] ?? '';
  const character = characters[offset] ?? '';
  if (kind === 'variation')
    return VARIED.some(([selector, base]) => selector.test(character) && base.test(before));
  if (character === '\u200D') {
    return (
      (/^[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F]$/u.test(before) &&
        /^\p{Extended_Pictographic}$|^[\u2640\u2642]$/u.test(after)) ||
      (JOINING.test(before) && JOINING.test(after))
    );
  }
  return character === '\u200C' && JOINING.test(before) && JOINING.test(after);
}

/** Which selectors people write after what: emoji style, glyph forms of symbols and Han, Mongolian letters. */
const VARIED: readonly (readonly [selector: RegExp, base: RegExp])[] = [
  [/^[\uFE0E\uFE0F]$/u, /^\p{Emoji}$/u],
  [/^[\uFE00-\uFE02]$/u, /^[\p{Script=Han}\p{Sm}\p{Script=Myanmar}]$/u],
  [/^(?:[\u180B-\u180D]|\u180F)$/u, /^\p{Script=Mongolian}$/u],
  [/^[\u{E0100}-\u{E01EF}]$/u, /^\p{Script=Han}$/u],
];

/** Scripts whose spelling uses U+200C and U+200D. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Khmer}\p{Script=Mongolian}]$/u;

const FLAG = '\u{1F3F4}';
const SUBDIVISIONS = new Set(['gbeng', 'gbsct', 'gbwls']);

/** Offsets of the tag characters in the three flags that Unicode recommends for exchange (RGI_Emoji_Tag_Sequence). */
function flagOffsets(characters: readonly string[]): Set<number> {
  const offsets = new Set<number>();
  for (let start = characters.indexOf(FLAG); start >= 0; start = characters.indexOf(FLAG, start + 1)) {
    const tags = characters
      .slice(start + 1, start + 7)
      .map((one) => String.fromCodePoint(Math.max(0, (one.codePointAt(0) ?? 0) - 0xe0000)));
    const isFlag = tags[5] === '\u007F' && SUBDIVISIONS.has(tags.slice(0, 5).join(''));
    if (isFlag) for (let i = 1; i <= 6; i += 1) offsets.add(start + i);
  }
  return offsets;
}
