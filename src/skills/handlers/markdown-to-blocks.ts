import MarkdownIt from 'markdown-it';

import type { Alignment, Block, Run, TableBlock, TableCell } from '../../typeset/document.ts';
import { toRuns } from './markdown-to-runs.ts';

export type MarkdownToken = ReturnType<MarkdownIt['parse']>[number];

export interface MarkdownDocument {
  /** The text of a level 1 heading at the very top, which is not among the blocks. */
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}

/** HTML is off; addresses that begin with http:// or https:// become links. */
const parser = new MarkdownIt({ html: false, linkify: true });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

/** CommonMark with tables and strikethrough, as the typesetter takes it. Images are replaced by their text. */
export function toBlocks(markdown: string): MarkdownDocument {
  const reader = { tokens: parser.parse(markdown, {}), at: 0 };
  const blocks = readUntil(reader, undefined);
  const [first] = blocks;
  if (first?.kind !== 'heading' || first.level !== 1) return { title: undefined, blocks };
  return { title: first.runs.map(({ text }) => text).join(''), blocks: blocks.slice(1) };
}

interface Reader {
  readonly tokens: readonly MarkdownToken[];
  at: number;
}

/** Reads blocks up to the closing token, which is passed over. */
function readUntil(reader: Reader, closing: string | undefined): Block[] {
  const blocks: Block[] = [];
  for (let token = next(reader); token !== undefined && token.type !== closing; token = next(reader)) {
    const block = readBlock(reader, token);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}

function next(reader: Reader): MarkdownToken | undefined {
  const token = reader.tokens[reader.at];
  reader.at += 1;
  return token;
}

function readBlock(reader: Reader, token: MarkdownToken): Block | undefined {
  switch (token.type) {
    case 'heading_open':
      return { kind: 'heading', level: levelOf(token.tag), runs: readInline(reader) };
    case 'paragraph_open':
      return { kind: 'paragraph', runs: readInline(reader) };
    case 'bullet_list_open':
      return { kind: 'list', ordered: false, items: readItems(reader, 'bullet_list_close') };
    case 'ordered_list_open':
      return {
        kind: 'list',
        ordered: true,
        start: Number(token.attrGet('start') ?? 1),
        items: readItems(reader, 'ordered_list_close'),
      };
    case 'blockquote_open':
      return { kind: 'quote', blocks: readUntil(reader, 'blockquote_close') };
    case 'table_open':
      return readTable(reader);
    case 'fence':
    case 'code_block':
      return { kind: 'code', text: token.content.replace(/\n$/u, '') };
    case 'hr':
      return { kind: 'rule' };
    default:
      return undefined;
  }
}

/** The inline token and the closing token after it. */
function readInline(reader: Reader): Run[] {
  const inline = next(reader);
  next(reader);
  return toRuns(inline?.children ?? []);
}

function readItems(reader: Reader, closing: string): Block[][] {
  const items: Block[][] = [];
  for (let token = next(reader); token !== undefined && token.type !== closing; token = next(reader)) {
    if (token.type === 'list_item_open') items.push(readUntil(reader, 'list_item_close'));
  }
  return items;
}

function readTable(reader: Reader): TableBlock {
  const rows: TableCell[][] = [];
  const align: Alignment[] = [];
  for (let token = next(reader); token !== undefined && token.type !== 'table_close'; token = next(reader)) {
    if (token.type === 'tr_open') rows.push([]);
    if (token.type === 'th_open') align.push(alignmentOf(token));
    if (token.type === 'inline') rows.at(-1)?.push(toRuns(token.children ?? []));
  }
  return { kind: 'table', header: rows[0] ?? [], rows: rows.slice(1), align };
}

function alignmentOf(token: MarkdownToken): Alignment {
  const style = token.attrGet('style') ?? '';
  if (style.includes('center')) return 'center';
  return style.includes('right') ? 'right' : 'left';
}

const LEVELS = [1, 2, 3, 4, 5, 6] as const;

function levelOf(tag: string): (typeof LEVELS)[number] {
  return LEVELS.find((level) => tag === `h${level}`) ?? 6;
}
