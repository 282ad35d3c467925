export type ConcealedKind =
  | 'tag character'
  | 'zero-width'
  | 'bidi control'
  | 'variation selector'
  | 'control';

/** Every place of one kind of character that a reader cannot see but a model reads. */
export interface ConcealedRun {
  readonly kind: ConcealedKind;
  readonly count: number;
  /** UTF-16 index of the first one. */
  readonly offset: number;
}

const SUSPECTS =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E01EF}]/gu;

/** Most texts are, and need no closer look. */
const PLAIN = /^[\t\n\r\x20-\x7E]*$/;

/** Scripts whose spelling needs the joiners U+200C and U+200D. */
const JOINING_LETTER =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]$/u;
const EMOJI_BEFORE_JOINER = /\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?$/u;
const EMOJI_AFTER_JOINER = /^\p{Extended_Pictographic}/u;
/** A sub-national flag: black flag, tag characters, cancel tag (UTS 51, ED-14a). */
const TAGGED_FLAG = /^\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}/u;
const LONGEST_FLAG_UNITS = 16;

/** Characters that hide text or its order, grouped by kind in order of appearance. Emoji sequences are not among them. */
export function findConcealed(text: string): readonly ConcealedRun[] {
  if (PLAIN.test(text)) return [];
  const runs = new Map<ConcealedKind, { kind: ConcealedKind; count: number; offset: number }>();
  for (const match of text.matchAll(SUSPECTS)) {
    const kind = kindOf(match[0].codePointAt(0) ?? 0);
    if (isOrdinary(kind, text, match.index)) continue;
    const run = runs.get(kind);
    if (run === undefined) runs.set(kind, { kind, count: 1, offset: match.index });
    else run.count += 1;
  }
  return [...runs.values()];
}

/** `2 zero-width characters, the first at offset 17`, one phrase a kind; empty when there is nothing to hide. */
export function describeConcealed(runs: readonly ConcealedRun[]): string {
  return runs
    .map(({ kind, count, offset }) => {
      const noun = `${kind}${kind === 'tag character' ? '' : ' character'}${count === 1 ? '' : 's'}`;
      return `${count} ${noun}, ${count === 1 ? '' : 'the first '}at offset ${offset}`;
    })
    .join('; ');
}

function kindOf(point: number): ConcealedKind {
  if (point >= 0xe0100 || (point >= 0xfe00 && point <= 0xfe0f)) return 'variation selector';
  if (point >= 0xe0000) return 'tag character';
  if (point <= 0x9f) return 'control';
  const isBidi =
    point === 0x61c ||
    point === 0x200e ||
    point === 0x200f ||
    (point >= 0x202a && point <= 0x202e) ||
    (point >= 0x2066 && point <= 0x206f);
  return isBidi ? 'bidi control' : 'zero-width';
}

/** Whether spelling or an emoji needs this one; control characters and bidi controls are never needed here. */
function isOrdinary(kind: ConcealedKind, text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 6), index);
  if (kind === 'variation selector') return isOrdinarySelector(text, index, before);
  if (kind === 'tag character') return isInsideFlag(text, index);
  return kind === 'zero-width' && isOrdinaryJoiner(text, index, before);
}

/** One selector after a visible base is spelling; a chain of them, or one after nothing, carries hidden data. */
function isOrdinarySelector(text: string, index: number, before: string): boolean {
  const wide = (text.codePointAt(index) ?? 0) >= 0xe0100;
  return wide ? /\p{Script=Han}$/u.test(before) : /[\p{L}\p{N}\p{P}\p{S}]$/u.test(before);
}

function isOrdinaryJoiner(text: string, index: number, before: string): boolean {
  const joiner = text.charCodeAt(index);
  const after = text.slice(index + 1, index + 3);
  if (joiner === 0x200d && EMOJI_BEFORE_JOINER.test(before) && EMOJI_AFTER_JOINER.test(after)) return true;
  if (joiner !== 0x200d && joiner !== 0x200c) return false;
  return JOINING_LETTER.test(before.replace(/\p{M}+$/u, '')) || /\p{Script=Devanagari}\p{M}?$/u.test(before);
}

function isInsideFlag(text: string, index: number): boolean {
  const start = text.lastIndexOf('\u{1F3F4}', index);
  if (start < 0 || index - start > LONGEST_FLAG_UNITS) return false;
  const flag = TAGGED_FLAG.exec(text.slice(start, start + LONGEST_FLAG_UNITS + 2));
  return flag !== null && index < start + flag[0].length;
}
