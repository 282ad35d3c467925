import type { BootFault } from '../core/boot-error.ts';
import { nearestNames } from '../core/nearest-names.ts';
import { quote } from '../core/quote.ts';
import { type ApproveIndex, entriesOf } from './approve-index.ts';
import type { ApprovableTool } from './approve.ts';
import type { PolicyEntry, PolicyPlace } from './policy.ts';

const MAX_LISTED = 20;
const MAX_NEAREST = 3;

/** An approval that matches no tool: no version, a version that floats or does not exist, or an unknown name. */
export function sayUnknownEntry(entry: PolicyEntry, index: ApproveIndex): BootFault {
  const { text, place } = entry;
  const pinned = sayOtherDigest(entry, index);
  if (pinned !== undefined) return pinned;
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const versions = index.byName.get(name) ?? index.byPackage.get(name);
  if (versions !== undefined) {
    const remedy = `Write ${[...new Set(versions.flatMap(entriesOf))].toSorted().join(' or ')}.`;
    return { ...place, message: sayVersion(name, at < 0 ? undefined : text.slice(at + 1)), remedy };
  }
  const known = [...index.byEntry.keys()].toSorted();
  return { ...place, message: sayUnknown(text), remedy: suggest(text, ['local', ...known]) };
}

/** The entry is right but for its pin. */
function sayOtherDigest({ text, place }: PolicyEntry, index: ApproveIndex): BootFault | undefined {
  const at = text.indexOf('#');
  const [found] = at < 0 ? [] : (index.byEntry.get(text.slice(0, at)) ?? []);
  if (found === undefined) return undefined;
  const message = `The policy pins ${text.slice(0, at)} to ${quote(text.slice(at + 1))}; what is there is ${found.digest}.`;
  return {
    ...place,
    message,
    remedy: 'Find out why it changed; then write the new digest, or leave it out.',
  };
}

/** A profile's tool that matches none, by name or by ref. */
export function sayUnknownTool(entry: PolicyEntry, index: ApproveIndex): BootFault {
  const { text, place } = entry;
  const known = text.includes('@') ? index.byRef : index.byName;
  const remedy =
    text === 'local'
      ? 'It is a bundle, which only approves; a profile names each tool.'
      : suggest(text, [...known.keys()].toSorted());
  return { ...place, message: sayUnknown(text), remedy };
}

export function sayClash(place: PolicyPlace, tools: readonly ApprovableTool[]): BootFault {
  const sides = tools.map(({ ref, origin }) => `${ref} (${origin})`).join(' and ');
  const isOneRef = new Set(tools.map(({ ref }) => ref)).size === 1;
  return {
    ...place,
    message: `Only one approved tool can have the name ${tools[0]?.name}: there are ${sides}.`,
    remedy: isOneRef ? 'Take one of them away, or give it another name.' : 'Approve one of them.',
  };
}

function sayVersion(name: string, version: string | undefined): string {
  if (version === undefined || version === '') return `${quote(name)} names no version.`;
  const floats = /^latest$|[*^~<>=|\s]|(?:^|\.)x(?:\.|$)/iu.test(version);
  return floats
    ? `The version ${quote(version)} of ${name} floats; only an exact version can be approved.`
    : `There is no version ${quote(version)} of ${name}.`;
}

function sayUnknown(text: string): string {
  const foreign = [...new Set(Array.from(text.slice(0, 80)).filter((character) => character > '~'))];
  const points = foreign.map(
    (c) => `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  const hint = points.length === 0 ? '' : ` It holds ${points.join(', ')}, and names are ASCII.`;
  return `There is no tool ${quote(text)}.${hint}`;
}

function suggest(text: string, known: readonly string[]): string {
  const nearest = nearestNames(text, known, MAX_NEAREST);
  const hint = nearest.length === 0 ? '' : `Did you mean ${nearest.join(' or ')}? `;
  const rest = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  return known.length === 0
    ? 'No tool is known at all.'
    : `${hint}Known: ${known.slice(0, MAX_LISTED).join(', ')}${rest}.`;
}
