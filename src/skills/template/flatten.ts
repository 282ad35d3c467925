import type { Template, TemplateToken } from './template.ts';

/** A template as one text: every section once, every value replaced by a word that stands for it. */
export interface FlatTemplate {
  readonly text: string;
  readonly values: readonly FlatValue[];
  /** Where each section begins and ends in `text`. */
  readonly sections: readonly {
    readonly token: TemplateToken;
    readonly start: number;
    readonly end: number;
  }[];
}

export interface FlatValue {
  readonly token: TemplateToken;
  readonly word: string;
  readonly offset: number;
}

/** For checks of where values stand. A word is letters and digits only, so that it is never markup itself. */
export function flattenTemplate(template: Template): FlatTemplate {
  const values: FlatValue[] = [];
  const sections: { token: TemplateToken; start: number; end: number }[] = [];
  let text = '';
  const append = (tokens: readonly TemplateToken[]): void => {
    for (const token of tokens) {
      if (token[0] === 'text') text += token[1];
      else if (token[0] === 'name') {
        const word = `ZqValue${values.length}qZ`;
        values.push({ token, word, offset: text.length });
        text += word;
      } else if (token[4] !== undefined) {
        const start = text.length;
        append(token[4]);
        sections.push({ token, start, end: text.length });
      }
    }
  };
  append(template.tokens);
  return { text, values, sections };
}
