import type { Fault } from '../core/broker-error.ts';
import { stripConcealed } from '../core/concealed.ts';
import { findConcealedInJson } from '../core/concealed-in-json.ts';
import { quote } from '../core/quote.ts';
import { isVersion } from '../core/ref.ts';
import { createShapeCheck, type Checked } from '../core/check-shape.ts';
import {
  CommandDescriptionSchema,
  CommandListSchema,
  MAX_COMMANDS,
  PackageManifestSchema,
  PrebuiltManifestSchema,
  SourceManifestSchema,
  type CommandDescription,
  type CommandListing,
  type PackageManifest,
  type PrebuiltManifest,
  type SourceManifest,
} from './contract.ts';

const checkSourceManifest = createShapeCheck(SourceManifestSchema);
const checkPackageManifest = createShapeCheck(PackageManifestSchema);
const checkPrebuiltManifest = createShapeCheck(PrebuiltManifestSchema);
const checkCommandList = createShapeCheck(CommandListSchema);
const checkDescription = createShapeCheck(CommandDescriptionSchema);

/** The one JSON document in `text`, after one byte order mark and white space; banners and second documents are faults. */
export function parseOneJson(text: string): Checked<unknown> {
  const document = text.replace(/^\uFEFF/u, '').trim();
  if (document === '') return fail('is empty; expected one JSON document');
  try {
    return { ok: true, value: JSON.parse(document) as unknown };
  } catch {
    return fail(`is not one JSON document; it begins ${quote(document)}`);
  }
}

export function parseSourceManifest(text: string): Checked<SourceManifest> {
  return andThen(parseOneJson(text), (value) => settleVersion(checkSourceManifest(value)));
}

/** A manifest with all its defaults in place. */
export function checkManifest(value: unknown): Checked<PackageManifest> {
  return settleVersion(checkPackageManifest(value));
}

/** What `./launch` printed, or `commands.json`: 0 to 1,000 commands with names of their own, in the order given. */
export function parseCommandList(text: string): Checked<readonly CommandListing[]> {
  return andThen(parseOneJson(text), (value) => {
    if (Array.isArray(value) && value.length > MAX_COMMANDS) {
      return fail(`lists ${value.length} commands; at most ${MAX_COMMANDS} are allowed`);
    }
    return andThen(checkCommandList(value), (list) => {
      const twice = list.find((entry, index) => list.findIndex((other) => other.name === entry.name) < index);
      if (twice !== undefined) return fail(`lists the command ${quote(twice.name)} twice`);
      return { ok: true, value: list.map(({ name, description }) => ({ name, description })) };
    });
  });
}

/** What `./launch <command>` printed, or `schemas/<command>.json`; `command` is the name it must bear. */
export function parseCommandDescription(text: string, command: string): Checked<CommandDescription> {
  return andThen(parseOneJson(text), (value) =>
    andThen(checkDescription(value), (description) =>
      description.name === command
        ? refuseConcealed(keepKnown(description))
        : fail(`describes ${quote(description.name)}; expected ${quote(command)}`),
    ),
  );
}

export function parsePrebuiltManifest(text: string): Checked<PrebuiltManifest> {
  return andThen(parseOneJson(text), (value) =>
    andThen(checkPrebuiltManifest(value), (manifest): Checked<PrebuiltManifest> => {
      const climbing = manifest.contents.find(({ path }) => !isInnerPath(path));
      if (climbing !== undefined)
        return fail(`names a path that leaves the package: ${quote(climbing.path)}`);
      if (!isVersion(manifest.package.version)) return floatingVersion(manifest.package.version);
      return { ok: true, value: manifest };
    }),
  );
}

function isInnerPath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

const KNOWN = Object.keys(CommandDescriptionSchema.properties);

function keepKnown(description: CommandDescription): CommandDescription {
  const kept = KNOWN.filter((key) => Object.hasOwn(description, key)).map(
    (key) => [key, description[key as keyof CommandDescription]] as const,
  );
  return Object.fromEntries(kept) as unknown as CommandDescription;
}

/** A model reads what a person who approves the package cannot see. */
function refuseConcealed(description: CommandDescription): Checked<CommandDescription> {
  const found = findConcealedInJson(description);
  return found === undefined
    ? { ok: true, value: description }
    : fail(`holds concealed characters: ${found.told}`, stripConcealed(found.pointer));
}

function settleVersion<T extends { version?: string }>(checked: Checked<T>): Checked<T> {
  if (!checked.ok || checked.value.version === undefined || isVersion(checked.value.version)) return checked;
  return floatingVersion(checked.value.version);
}

function floatingVersion(version: string): Checked<never> {
  return fail(`must be an exact version, received ${quote(version)}`, '/version');
}

function fail(message: string, path = ''): { ok: false; faults: readonly Fault[] } {
  return { ok: false, faults: [{ path, message }] };
}

function andThen<A, B>(checked: Checked<A>, next: (value: A) => Checked<B>): Checked<B> {
  return checked.ok ? next(checked.value) : checked;
}
