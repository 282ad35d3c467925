import LineBreaker from 'linebreak';

/** UTF-16 indices at which a text is cut, rising; the last is its length. */
export type FindEnds = (text: string) => Iterable<number>;

/** After each run of spaces. */
export function* findWordEnds(text: string): Generator<number> {
  for (const { index, 0: word } of text.matchAll(/[^ ]* +|[^ ]+$/gu)) yield index + word.length;
}

/** Where UAX 14 allows a line to break. */
export function* findBreaks(text: string): Generator<number> {
  const breaker = new LineBreaker(text);
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) yield found.position;
}

/** Cuts a row of texts as if it were one; a part that spans several texts keeps them apart. */
export function* splitTexts<T extends { readonly text: string }>(
  texts: readonly T[],
  findEnds: FindEnds,
): Generator<T[]> {
  let [index, offset, start] = [0, 0, 0];
  for (const end of findEnds(texts.map(({ text }) => text).join(''))) {
    const part: T[] = [];
    for (let source = texts[index]; source !== undefined && start < end; source = texts[index]) {
      const text = source.text.slice(offset, offset + end - start);
      if (text !== '') part.push({ ...source, text });
      start += text.length;
      offset += text.length;
      if (offset === source.text.length) [index, offset] = [index + 1, 0];
    }
    yield part;
  }
}
