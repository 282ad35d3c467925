/** How much of Markdown may surround a value: one line of it, or a paragraph that stands by itself. */
export type MarkdownPlace = 'inline' | 'block';

/**
 * A value as literal text in Markdown (CommonMark and GitHub's tables and strikethrough). Only what would act is
 * escaped, so that the source stays readable. In a line, white space is one space; in a block, line breaks are kept.
 */
export function escapeMarkdown(text: string, place: MarkdownPlace): string {
  if (place === 'inline') return escapeLine(collapse(text));
  return text
    .split(/\n[ \t]*\n\s*/u)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map(collapse)
        .filter((line) => line !== '')
        .map(escapeLine)
        .join('\\\n'),
    )
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

function escapeLine(line: string): string {
  return line
    .replaceAll(/[\\`*[\]<|~]/gu, '\\$&')
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replaceAll(/&(?=#?[A-Za-z0-9]+;|#?$)/gu, '\\&')
    .replace(/^(?:#{1,6}(?=\s|$)|>|[-+](?=[\s-]|$)|=+\s*$|[.)](?=\s|$))/u, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/u, '$1\\$2')
    .replace(/(?<=\s)#+$/u, '\\$&');
}
