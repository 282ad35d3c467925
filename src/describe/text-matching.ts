import ret, { type Token } from 'ret';

// The module is the function itself, which its types do not say.
const tokenize = ret as unknown as typeof ret.tokenizer;

const MAX_CHARACTERS = 200;

/** Characters to choose from first, so that made-up texts look like what people write. */
const FAVOURITES = Array.from('a0A1bB2-_ ./:@');

/**
 * A short text that matches a JSON Schema pattern; undefined when the pattern cannot be read, or asks for
 * more than this knows (look-around, back-references, Unicode classes). `minLength` is met where a repeat allows it.
 */
export function textMatching(pattern: string, minLength = 0): string | undefined {
  try {
    const root = tokenize(plainClasses(pattern));
    for (const extra of [0, 1, 2, 4, 8, 16, 32, 64, 128]) {
      const text = alternatives(root, extra);
      if (text === undefined || text.length > MAX_CHARACTERS) return undefined;
      if (Array.from(text).length >= minLength) return text;
      if (!hasLooseEnd(pattern)) continue;
      return text.padEnd(minLength, 'a');
    }
    return undefined;
  } catch {
    return undefined;
  }
}

/** Unicode classes, each as one character that is in it. */
function plainClasses(pattern: string): string {
  return pattern.replaceAll(
    /\\p\{(L[lmotu]?|N[dlo]?|Letter|Number|P[a-z]?|Z[a-z]?)\}/gu,
    (_, name: string) => {
      if (name === 'Lu') return 'A';
      if (name.startsWith('L')) return 'a';
      if (name.startsWith('N')) return '0';
      return name.startsWith('P') ? '-' : ' ';
    },
  );
}

/** A pattern without `$` says nothing about what follows. */
function hasLooseEnd(pattern: string): boolean {
  return !pattern.includes('$');
}

function alternatives(node: { stack?: Token[]; options?: Token[][] }, extra: number): string | undefined {
  for (const sequence of node.options ?? [node.stack ?? []]) {
    const text = write(sequence, extra);
    if (text !== undefined) return text;
  }
  return undefined;
}

function write(tokens: readonly Token[], extra: number): string | undefined {
  let text = '';
  for (const token of tokens) {
    const part = writeToken(token, extra);
    if (part === undefined || text.length > MAX_CHARACTERS) return undefined;
    text += part;
  }
  return text;
}

function writeToken(token: Token, extra: number): string | undefined {
  switch (token.type) {
    case ret.types.CHAR:
      return String.fromCodePoint(token.value);
    case ret.types.POSITION:
      return token.value === '^' || token.value === '$' ? '' : undefined;
    case ret.types.SET:
      return pick(token);
    case ret.types.GROUP:
      if (token.followedBy === true || token.notFollowedBy === true || token.lookBehind === true)
        return undefined;
      return alternatives(token, extra);
    case ret.types.REPETITION: {
      const count = Math.min(token.max, token.min + extra);
      if (count > MAX_CHARACTERS) return undefined;
      const once = count === 0 ? '' : writeToken(token.value, extra);
      return once === undefined ? undefined : once.repeat(count);
    }
    case ret.types.REFERENCE:
      return undefined;
    default:
      return undefined;
  }
}

type SetToken = Extract<Token, { type: ret.types.SET }>;

function pick(set: SetToken): string | undefined {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index));
  return [...FAVOURITES, ...printable].find((character) => holds(set, character.codePointAt(0) ?? 0));
}

function holds(set: SetToken, code: number): boolean {
  const inside = set.set.some((part) => {
    if (part.type === ret.types.CHAR) return part.value === code;
    return part.type === ret.types.RANGE ? part.from <= code && code <= part.to : holds(part, code);
  });
  return inside !== set.not;
}
