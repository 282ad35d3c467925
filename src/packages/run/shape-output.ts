import { decodeOutput } from './decode-utf8.ts';
import type { KeptOutput } from './run-result.ts';
import { stripControlSequences } from './strip-control-sequences.ts';

/** Characters (code points) of one stream that are handed on (design section 6). */
export const MAX_TEXT_CHARACTERS = 30_000;

/** For the note in the middle. */
const NOTE_ROOM = 100;

export interface ShapedText {
  readonly text: string;
  /** Some of it was left out; a note in `text` says how much. */
  readonly truncated: boolean;
  /** It was not UTF-8 throughout; what was not is U+FFFD. */
  readonly utf8Repaired: boolean;
}

/** What a program wrote, as text for a model: clean, and at most `maxCharacters` long. */
export function shapeOutput(output: KeptOutput, maxCharacters: number = MAX_TEXT_CHARACTERS): ShapedText {
  const { head, tail } = decodeOutput(output);
  const start = stripControlSequences(head.text);
  const end = stripControlSequences(tail.text);
  const utf8Repaired = head.isRepaired || tail.isRepaired;
  const all = Array.from(start);
  if (!output.truncated && all.length <= maxCharacters)
    return { text: start, truncated: false, utf8Repaired };
  const room = Math.max(0, maxCharacters - NOTE_ROOM);
  const headRoom = Math.ceil((room * 2) / 3);
  const first = cutHead(all, headRoom);
  const last = cutTail(output.truncated ? Array.from(end) : all.slice(first.length), room - headRoom);
  const omitted = output.truncated
    ? `about ${count(output.totalBytes - Buffer.byteLength(first.join('')) - Buffer.byteLength(last.join('')))} bytes`
    : `${count(all.length - first.length - last.length)} characters`;
  return { text: join(first, omitted, last), truncated: true, utf8Repaired };
}

/** At most `room` characters from the start, up to the end of a line if there is one in the second half. */
function cutHead(characters: readonly string[], room: number): readonly string[] {
  const cut = characters.slice(0, room);
  const lineEnd = cut.lastIndexOf('\n') + 1;
  return lineEnd > room / 2 ? cut.slice(0, lineEnd) : cut;
}

/** At most `room` characters from the end, from the start of a line if there is one in the first half. */
function cutTail(characters: readonly string[], room: number): readonly string[] {
  const cut = room === 0 ? [] : characters.slice(-room);
  const lineStart = cut.indexOf('\n') + 1;
  return lineStart > 0 && lineStart < room / 2 ? cut.slice(lineStart) : cut;
}

function join(first: readonly string[], omitted: string, last: readonly string[]): string {
  const head = first.join('');
  const gap = head === '' || head.endsWith('\n') ? '' : '\n';
  return `${head}${gap}[${omitted} left out here]\n${last.join('')}`;
}

function count(number: number): string {
  return Math.max(0, number).toLocaleString('en-US');
}
