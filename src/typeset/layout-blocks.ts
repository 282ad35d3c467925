import type { TextSetting } from './choose-faces.ts';
import type { Block } from './document.ts';
import { layoutCode } from './layout-code.ts';
import { HEADING_GAPS_PT, layoutHeading } from './layout-heading.ts';
import { layoutLines } from './layout-lines.ts';
import { layoutList } from './layout-list.ts';
import { layoutParagraph } from './layout-paragraph.ts';
import { layoutQuote } from './layout-quote.ts';
import { layoutRule } from './layout-rule.ts';
import { layoutTable } from './layout-table.ts';
import { BODY } from './page.ts';
import { withGap, type Column, type Slab } from './slab.ts';

/** What a block that holds blocks needs to set them. */
export interface BlockLayout extends BlockPlace {
  readonly blocks: (blocks: readonly Block[], place: BlockPlace) => Slab[];
}

export interface BlockPlace {
  readonly column: Column;
  /** Lists around this place; picks the bullet. */
  readonly listDepth: number;
}

const PARAGRAPH = {
  text: { sizePt: BODY.sizePt, bold: false, italic: false, code: false },
  leadingPt: BODY.leadingPt,
} as const;

const GAP_PT = 8;
const GAP_AFTER_HEADING_PT = 4;
const GAP_AROUND_BOX_PT = 10;
const NESTED_LIST_GAP_PT = 3;

/** Blocks as slabs, from top to bottom of a column. */
export function layoutBlocks(blocks: readonly Block[], place: BlockPlace, setting: TextSetting): Slab[] {
  const layout: BlockLayout = {
    ...place,
    blocks: (inner, innerPlace) => layoutBlocks(inner, innerPlace, setting),
  };
  return blocks.flatMap((block, index) =>
    withGap(layoutBlock(block, layout, setting), gapBetween(blocks[index - 1], block, place)),
  );
}

function layoutBlock(block: Block, layout: BlockLayout, setting: TextSetting): Slab[] {
  const { column } = layout;
  switch (block.kind) {
    case 'lines':
      return layoutLines(block, column, setting);
    case 'paragraph':
      return layoutParagraph(block.runs, { column, style: PARAGRAPH }, setting);
    case 'heading':
      return layoutHeading(block, column, setting);
    case 'list':
      return layoutList(block, layout, setting);
    case 'table':
      return layoutTable(block, column, setting);
    case 'quote':
      return layoutQuote(block, layout);
    case 'code':
      return layoutCode(block, column, setting);
    case 'rule':
      return layoutRule(column);
    default:
      return refuse(block);
  }
}

function refuse(block: never): never {
  throw new TypeError(`Unknown block: ${JSON.stringify(block)}`);
}

function gapBetween(above: Block | undefined, block: Block, { listDepth }: BlockPlace): number {
  if (above === undefined) return 0;
  if (block.kind === 'heading') return above.kind === 'heading' ? GAP_PT : HEADING_GAPS_PT[block.level];
  if (above.kind === 'heading') return GAP_AFTER_HEADING_PT;
  if (block.kind === 'list' && listDepth > 0) return NESTED_LIST_GAP_PT;
  const isBox = [above.kind, block.kind].some(
    (kind) => kind === 'code' || kind === 'table' || kind === 'rule',
  );
  return isBox ? GAP_AROUND_BOX_PT : GAP_PT;
}
