import type { Catalog } from '../catalog/catalog.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import { formatRef } from '../core/ref.ts';
import type { ToolSpec } from '../core/tool.ts';
import { isFit, lintTool, toLines, toMember } from './lint-report.ts';
import { isDirectory, readToolDirectory, type ToolDirectory } from './read-tool-directory.ts';
import { withCatalog } from './with-catalog.ts';

export interface LintOptions {
  /** Tools of this installation (as `explain` takes them), or directories; empty: all tools that a start would find. */
  readonly targets: readonly string[];
  /** The least adjusted score, 0 to 1, as it was written. Default: scores are shown and gate nothing. */
  readonly min?: string;
  /** One JSON document instead of lines. */
  readonly json: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (line: string) => void;
}

/**
 * `tool-broker lint`: scores of descriptions and findings about them. Exit code 0; 1 when a score is below `min`, a
 * finding is an error or a tool cannot be read; 2 when there is nothing to lint; 78 as a start.
 */
export async function lintDescriptions(options: LintOptions): Promise<number> {
  const { targets, min: written = '0', environment, print } = options;
  const min = Number(written);
  if (written.trim() === '' || !(min >= 0 && min <= 1)) {
    print(`--min must be a number from 0 to 1, received ${quote(written)}.`);
    return 2;
  }
  const refs = targets.filter((target) => !isDirectory(target));
  const directories = await Promise.all(
    targets.filter((target) => isDirectory(target)).map(async (target) => readToolDirectory(target)),
  );
  const lint = (chosen: Chosen): number => report([...directories, chosen], { ...options, min });
  if (refs.length === 0 && targets.length > 0) return lint({ specs: [], faults: [], known: [] });
  return withCatalog(environment, print, ({ catalog }) => {
    const chosen = chooseTools(catalog, refs);
    if (typeof chosen !== 'string') return lint(chosen);
    print(chosen);
    return 2;
  });
}

interface Chosen extends ToolDirectory {
  /** All tools of this installation. */
  readonly known: readonly ToolSpec[];
}

/** The tools that the refs mean, all when there is none; a sentence when one means nothing. */
function chooseTools(catalog: Catalog, refs: readonly string[]): Chosen | string {
  const known = catalog.known.map(({ entry }) => entry.spec);
  const unknown = refs.find((ref) => !known.some((spec) => namesOf(spec).includes(ref)));
  if (unknown !== undefined) {
    const [nearest] = nearestNames(unknown, known.flatMap(namesOf), 1);
    const hint = nearest === undefined ? '`tool-broker tools` lists them.' : `Did you mean ${nearest}?`;
    return `${quote(unknown)} is no tool of this installation and no directory. ${hint}`;
  }
  const isChosen = (spec: ToolSpec): boolean =>
    refs.length === 0 || refs.some((ref) => namesOf(spec).includes(ref));
  return { specs: known.filter(isChosen), faults: [], known };
}

function namesOf(spec: ToolSpec): string[] {
  const flat = [spec.name, formatRef(spec)];
  const [, pkg] = /^package:(.+)$/u.exec(spec.origin) ?? [];
  return pkg === undefined ? flat : [...flat, ...flat.map((name) => `${pkg}:${name}`)];
}

function report(
  found: readonly (ToolDirectory & Partial<Chosen>)[],
  { min, json, print }: { readonly min: number } & Pick<LintOptions, 'json' | 'print'>,
): number {
  const tools = found.flatMap(({ specs, known = specs }) => specs.map((spec) => lintTool(spec, known, min)));
  const faults = found.flatMap((one) => one.faults);
  const unfit = tools.filter((tool) => !isFit(tool));
  if (json) {
    const shown = faults.map(({ source, message }) => ({ source, message }));
    print(JSON.stringify({ min, tools: tools.map(toMember), faults: shown }, undefined, 2));
  } else {
    for (const line of tools.flatMap((tool) => [...toLines(tool, min), ''])) print(line);
    for (const { source, message } of faults) print(`error: ${source}: ${message}`);
    print(`${tools.length} descriptions, ${unfit.length} to mend; ${faults.length} other errors.`);
  }
  if (tools.length === 0 && faults.length === 0) return 2;
  return unfit.length > 0 || faults.length > 0 ? 1 : 0;
}
