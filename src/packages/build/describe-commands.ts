import { quote } from '../../core/quote.ts';
import { sayFaults, type Checked } from '../../core/check-shape.ts';
import type { CommandDescription, CommandListing } from '../contract.ts';
import { parseCommandDescription, parseCommandList } from '../parse-contract.ts';
import type { LauncherRun, RunLauncher } from './run-launcher.ts';

/** A slow interpreter on a busy machine still lists within this. */
const LISTING_TIMEOUT_MS = 60_000;
const SHOWN_CHARACTERS = 2_000;

export interface CommandCatalog {
  /** Sorted by name. */
  readonly commands: readonly CommandListing[];
  readonly descriptions: readonly CommandDescription[];
}

/**
 * Asks a launcher what it can do: lists twice, and the two must agree, then has each command described. Throws an
 * Error that shows what was printed when an answer breaks the contract.
 */
export async function describeCommands(
  place: { readonly directory: string; readonly launcher: string },
  run: RunLauncher,
): Promise<CommandCatalog> {
  const ask = async (...argv: string[]): Promise<LauncherRun> =>
    run({ ...place, argv, timeoutMs: LISTING_TIMEOUT_MS });
  const [first, second] = [await ask(), await ask()];
  const commands = accept('./launch', first, parseCommandList);
  const again = accept('./launch', second, parseCommandList);
  if (JSON.stringify(commands) !== JSON.stringify(again)) {
    throw new Error(`\`./launch\` lists differently twice.${sayPrinted(first)}\nThen:${sayPrinted(second)}`);
  }
  const sorted = commands.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const descriptions: CommandDescription[] = [];
  for (const { name } of sorted) {
    const answer = await ask(name);
    descriptions.push(accept(`./launch ${name}`, answer, (text) => parseCommandDescription(text, name)));
  }
  return { commands: sorted, descriptions };
}

function accept<T>(command: string, run: LauncherRun, parse: (text: string) => Checked<T>): T {
  if (run.trouble !== undefined) throw new Error(`\`${command}\` ${run.trouble}.${sayPrinted(run)}`);
  if (run.exitCode !== 0) {
    throw new Error(`\`${command}\` ended with exit code ${run.exitCode}; expected 0.${sayPrinted(run)}`);
  }
  const checked = parse(run.stdout);
  if (!checked.ok)
    throw new Error(`what \`${command}\` printed ${sayFaults(checked.faults)}.${sayPrinted(run)}`);
  return checked.value;
}

function sayPrinted(run: LauncherRun): string {
  const parts = [
    ['stdout', run.stdout],
    ['stderr', run.stderr],
  ].map(([stream, text = '']) =>
    text.trim() === '' ? `\n${stream}: nothing` : `\n${stream}: ${shorten(text)}`,
  );
  return parts.join('');
}

function shorten(text: string): string {
  const lines = text.slice(0, SHOWN_CHARACTERS).split('\n');
  return `${lines.map((line) => line.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => quote(character).slice(1, -1))).join('\n')}${
    text.length > SHOWN_CHARACTERS ? `… (${text.length} characters)` : ''
  }`;
}
