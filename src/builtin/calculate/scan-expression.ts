import { quote } from '../../core/quote.ts';
import { CHARACTER_HINT, CHARACTER_HINTS, READ_AS } from './character-hints.ts';
import { ExpressionError, placeOf } from './expression-error.ts';

/** Parentheses inside one another, and signs in a row: the parser calls itself for each. */
const MAX_NESTING = 50;

const PLAIN = /[A-Za-z0-9_ .,+\-*/^%!()<>=\t\r\n]/u;

interface Slip {
  readonly pattern: RegExp;
  readonly message: string;
  readonly resolution: string;
}

/** Ways of writing that would be misread or refused in words of no help, in the order they are looked for. */
const SLIPS: readonly Slip[] = [
  {
    pattern: /(?<=\S\s*)[\r\n](?=\s*\S)/u,
    message: 'A second line begins',
    resolution: 'Send one expression a call, on one line.',
  },
  {
    pattern: /(?<![\d.])\.(?!\d)/u,
    message: 'A point stands without a digit beside it',
    resolution: 'A point is only a decimal point, such as 1.5; there are no properties or methods.',
  },
  {
    pattern: /(?<![<>=!])=(?!=)|(?<=[<>=!]=)=/u,
    message: 'A single = stands',
    resolution:
      'There are no variables or definitions: put the values into the expression. To compare, write ==.',
  },
  { pattern: /\*\s*\*/u, message: '** stands', resolution: 'Write powers with ^, such as 2^10.' },
  {
    pattern: /\/\s*\//u,
    message: '// stands',
    resolution: 'Write one /; for whole division write floor(7 / 2).',
  },
  {
    pattern: /(?<![\w.])0[xbo]/iu,
    message: 'A number with a base prefix stands',
    resolution: 'Write numbers in base ten.',
  },
  {
    pattern: /(?<=\d),0\d\d(?!\d)/u,
    message: 'A thousands separator stands',
    resolution: 'Write thousands without a separator: 1000, not 1,000.',
  },
  {
    pattern: /(?<=\d)\s+(?=\d)/u,
    message: 'Two numbers stand side by side',
    resolution: 'Put an operator between them; write thousands without a separator: 1000, not 1 000.',
  },
  {
    pattern: /%\s*[+-]/u,
    message: 'A sign follows %, which would be read as a remainder',
    resolution:
      'Close the part that ends in % with parentheses, such as (240 - 18%) + 5; for a remainder write mod(10, -3).',
  },
];

/**
 * The text as the parser may have it, of the same length: other signs for operators replaced, `18% of 240` made a
 * product. Throws ExpressionError, naming the place, for what the parser should never see.
 */
export function scanExpression(text: string): string {
  if (text.trim() === '') {
    throw new ExpressionError('`expression` holds only white space.', 'Write a calculation, such as 2 + 3.');
  }
  const readable = replaceCharacters(text);
  for (const slip of SLIPS) {
    const index = readable.search(slip.pattern);
    if (index >= 0) throw new ExpressionError(`${slip.message}${placeOf(text, index)}.`, slip.resolution);
  }
  refuseDeepSigns(readable);
  refuseBadBrackets(readable);
  return readable.replaceAll(/[\t\r\n]/gu, ' ').replaceAll(/(?<=%\s*)\bof\b/gu, '* ');
}

function replaceCharacters(text: string): string {
  let index = 0;
  let readable = '';
  for (const character of text) {
    const plain = READ_AS.get(character) ?? character;
    if (!PLAIN.test(plain)) {
      throw new ExpressionError(
        `${quote(character)} cannot be read${placeOf(text, index)}.`,
        CHARACTER_HINTS.get(character) ?? CHARACTER_HINT,
      );
    }
    readable += plain;
    index += character.length;
  }
  return readable;
}

function refuseDeepSigns(text: string): void {
  for (const signs of text.matchAll(/[+-][+\-\s]*/gu)) {
    if (signs[0].replaceAll(/\s/gu, '').length > MAX_NESTING) {
      throw new ExpressionError(
        `More than ${MAX_NESTING} signs follow one another${placeOf(text, signs.index)}.`,
        'Write one sign.',
      );
    }
  }
}

function refuseBadBrackets(text: string): void {
  const open: { index: number; isCall: boolean }[] = [];
  for (const [index, character] of Array.from(text).entries()) {
    if (character === '(') open.push({ index, isCall: /[A-Za-z_]\w*\s*$/u.test(text.slice(0, index)) });
    if (open.length > MAX_NESTING) {
      throw new ExpressionError(
        `Parentheses stand more than ${MAX_NESTING} deep${placeOf(text, index)}.`,
        'Leave out parentheses that change nothing, or split the calculation into several calls.',
      );
    }
    if (character === ')' && open.pop() === undefined) {
      throw new ExpressionError(
        `A ) without its ( stands${placeOf(text, index)}.`,
        'Remove it, or add the (.',
      );
    }
    if (character === ',' && open.at(-1)?.isCall !== true) {
      throw new ExpressionError(
        `A comma stands outside the arguments of a function${placeOf(text, index)}.`,
        'Write decimals with a point (1.5, not 1,5) and thousands without a separator (1000, not 1,000).',
      );
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) {
    throw new ExpressionError(
      `A ( without its ) stands${placeOf(text, unclosed.index)}.`,
      'Add the missing ).',
    );
  }
}
