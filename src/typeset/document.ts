/** What `typeset` makes a PDF of. Plain data, so that it can cross to a worker thread. */
export interface PdfDocument {
  /** Stands at the top of the first page and in the file's metadata; absent or blank: neither. */
  readonly title?: string;
  /** BCP 47, for screen readers. */
  readonly language: string;
  /** `2 / 5` at the foot of every page; default: none. */
  readonly pageNumbers?: boolean;
  readonly blocks: readonly Block[];
}

export type Block =
  | LinesBlock
  | ParagraphBlock
  | HeadingBlock
  | ListBlock
  | TableBlock
  | QuoteBlock
  | CodeBlock
  | RuleBlock;

/** Text as it came: every line break is kept, long lines wrap, runs of white space are one space. */
export interface LinesBlock {
  readonly kind: 'lines';
  readonly text: string;
}

/** A stretch of text in one style. A line feed in `text` starts a new line; other white space is one space. */
export interface Run {
  readonly text: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly code?: boolean;
  readonly strike?: boolean;
  /** An absolute address (`http`, `https`, `mailto`, `tel`); anything else is set as plain text. */
  readonly link?: string;
}

interface ParagraphBlock {
  readonly kind: 'paragraph';
  readonly runs: readonly Run[];
}

export interface HeadingBlock {
  readonly kind: 'heading';
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  readonly runs: readonly Run[];
}

export interface ListBlock {
  readonly kind: 'list';
  readonly ordered: boolean;
  /** Number of the first item of an ordered list; default 1. */
  readonly start?: number;
  /** Each item is a column of blocks; lists may nest. */
  readonly items: readonly (readonly Block[])[];
}

export interface TableBlock {
  readonly kind: 'table';
  /** Repeated at the top of every page that the table reaches. */
  readonly header: readonly TableCell[];
  /** Short rows are filled up with empty cells. */
  readonly rows: readonly (readonly TableCell[])[];
  /** One a column; default `left`. */
  readonly align?: readonly Alignment[];
}

export type TableCell = readonly Run[];

export type Alignment = 'left' | 'center' | 'right';

export interface QuoteBlock {
  readonly kind: 'quote';
  readonly blocks: readonly Block[];
}

/** Set in a fixed-width face; spaces and line breaks are kept, lines that are too long are cut. */
export interface CodeBlock {
  readonly kind: 'code';
  readonly text: string;
}

interface RuleBlock {
  readonly kind: 'rule';
}

/** What became of it. */
export interface TypesetResult {
  readonly bytes: Uint8Array;
  /** Pages in the file, counted as they were made; at least 1. */
  readonly pages: number;
  /** Absent when every character was drawn. */
  readonly undrawn?: Undrawn;
}

/** What no font could draw; each such character shows as a box and can still be copied out of the PDF. */
export interface Undrawn {
  /** Code points. */
  readonly count: number;
  /** Distinct, as `U+4E2D`, in code point order; at most 50. */
  readonly characters: readonly string[];
}
