import { concealedKind, SUSPECT, type ConcealedKind } from './concealing-character.ts';

/** Every place of one kind of character that a reader cannot see but a model reads. Never carries what it hides. */
export interface ConcealedRun {
  readonly kind: ConcealedKind;
  readonly count: number;
  /** UTF-16 index of the first one. */
  readonly offset: number;
}

/**
 * Characters that hide text or its order, grouped by kind in order of appearance: tag characters (U+E0000 block),
 * invisible format characters, direction controls, control characters but tab and line breaks, blank fillers, selectors
 * with nothing to vary. What people write is none: emoji sequences, joiners in scripts that need them.
 */
export function findConcealed(text: string): readonly ConcealedRun[] {
  const runs = new Map<ConcealedKind, { kind: ConcealedKind; count: number; offset: number }>();
  replaceConcealed(text, (character, { kind, offset }) => {
    const run = runs.get(kind);
    if (run === undefined) runs.set(kind, { kind, count: 1, offset });
    else run.count += 1;
    return character;
  });
  return [...runs.values()];
}

/** The text without any concealed character. Taking one out can expose another, so it looks again. */
export function stripConcealed(text: string): string {
  const stripped = replaceConcealed(text, () => '');
  return stripped === text ? text : stripConcealed(stripped);
}

/** The text with each concealed character put as `replace` says. */
export function replaceConcealed(
  text: string,
  replace: (character: string, place: { readonly kind: ConcealedKind; readonly offset: number }) => string,
): string {
  if (!SUSPECT.test(text)) return text;
  const characters = Array.from(text);
  let offset = 0;
  return characters
    .map((character, at) => {
      const kind = concealedKind(characters, at);
      const written = kind === undefined ? character : replace(character, { kind, offset });
      offset += character.length;
      return written;
    })
    .join('');
}

/** `2 zero-width characters, the first at offset 17`, one phrase a kind; empty when there is nothing to tell. */
export function describeConcealed(runs: readonly ConcealedRun[]): string {
  return runs
    .map(({ kind, count, offset }) => {
      const noun = `${kind}${kind === 'tag character' ? '' : ' character'}${count === 1 ? '' : 's'}`;
      return `${count} ${noun}, ${count === 1 ? '' : 'the first '}at offset ${offset}`;
    })
    .join('; ');
}
