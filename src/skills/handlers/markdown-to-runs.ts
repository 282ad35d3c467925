import type MarkdownIt from 'markdown-it';

import type { Run } from '../../typeset/document.ts';

type MarkdownToken = ReturnType<MarkdownIt['parse']>[number];

interface Style {
  bold: number;
  italic: number;
  strike: number;
  link: string | undefined;
}

/** The inline part of Markdown as runs of one style each. */
export function toRuns(tokens: readonly MarkdownToken[]): Run[] {
  const style: Style = { bold: 0, italic: 0, strike: 0, link: undefined };
  const runs: Run[] = [];
  for (const token of tokens) {
    applyStyle(style, token);
    const text = textOf(token);
    if (text === '') continue;
    runs.push({
      text,
      ...(style.bold > 0 ? { bold: true } : {}),
      ...(style.italic > 0 ? { italic: true } : {}),
      ...(style.strike > 0 ? { strike: true } : {}),
      ...(token.type === 'code_inline' ? { code: true } : {}),
      ...(style.link === undefined ? {} : { link: style.link }),
    });
  }
  return runs;
}

function applyStyle(style: Style, token: MarkdownToken): void {
  const step = token.nesting;
  if (token.tag === 'strong') style.bold += step;
  if (token.tag === 'em') style.italic += step;
  if (token.tag === 's') style.strike += step;
  if (token.type === 'link_open') style.link = token.attrGet('href') ?? undefined;
  if (token.type === 'link_close') style.link = undefined;
}

function textOf(token: MarkdownToken): string {
  if (token.type === 'softbreak') return ' ';
  if (token.type === 'hardbreak') return '\n';
  if (token.type === 'text' || token.type === 'code_inline' || token.type === 'image') return token.content;
  return '';
}
