import { cleanLine } from './clean-text.ts';
import type { Run } from './document.ts';
import { COLORS } from './page.ts';
import type { StyledText, TextStyle } from './piece.ts';

/** The fixed-width face is wide and tall beside the text face. */
const CODE_SCALE = 0.88;
const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * Runs as styled texts, one list for each line that a line feed in them starts. White space is collapsed across the
 * borders of runs, and none stands at the ends of a line.
 */
export function styleRuns(runs: readonly Run[], base: TextStyle): StyledText[][] {
  const lines: StyledText[][] = [[]];
  for (const run of runs) {
    const style = styleOf(run, base);
    for (const [index, part] of run.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      lines.at(-1)?.push({ text: cleanLine(part).replaceAll(/ {2,}/gu, ' '), style });
    }
  }
  return lines.map(collapseBorders);
}

function collapseBorders(texts: readonly StyledText[]): StyledText[] {
  const kept: StyledText[] = [];
  for (const { text, style } of texts) {
    const isAfterSpace = kept.at(-1)?.text.endsWith(' ') ?? true;
    const shown = isAfterSpace ? text.trimStart() : text;
    if (shown !== '') kept.push({ text: shown, style });
  }
  const last = kept.at(-1);
  if (last) kept[kept.length - 1] = { text: last.text.trimEnd(), style: last.style };
  return kept;
}

function styleOf(run: Run, base: TextStyle): TextStyle {
  const link = run.link === undefined ? undefined : safeLink(run.link);
  const isCode = base.code || run.code === true;
  return {
    ...base,
    bold: base.bold || run.bold === true,
    italic: base.italic || run.italic === true,
    code: isCode,
    sizePt: isCode && !base.code ? base.sizePt * CODE_SCALE : base.sizePt,
    ...(isCode ? { background: COLORS.tint } : {}),
    ...(run.strike === true ? { strike: true } : {}),
    ...(link === undefined ? {} : { link, color: COLORS.link }),
  };
}

/** The address in ASCII, as a PDF must have it; undefined for what a reader should not be sent to. */
function safeLink(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return LINK_SCHEMES.has(protocol) ? href : undefined;
}
