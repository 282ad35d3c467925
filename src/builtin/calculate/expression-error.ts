/** What is wrong with an expression, in a sentence, and how to write it right, in another. Both may be shown. */
export class ExpressionError extends Error {
  readonly resolution: string;

  constructor(message: string, resolution: string) {
    super(message);
    this.name = 'ExpressionError';
    this.resolution = resolution;
  }
}

/** ` at character N`, counted from 1 in code points, for a UTF-16 index into the text. */
export function placeOf(text: string, index: number): string {
  return ` at character ${Array.from(text.slice(0, index)).length + 1}`;
}
