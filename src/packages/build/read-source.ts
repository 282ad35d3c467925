import { access, constants, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { parse as parseToml } from 'smol-toml';

import { isJsonObject } from '../../core/json.ts';
import { quote } from '../../core/quote.ts';
import { sayFaults } from '../../core/check-shape.ts';
import { SOURCE_MANIFEST, type PackageManifest, type SourceManifest } from '../contract.ts';
import { checkManifest, parseSourceManifest } from '../parse-contract.ts';

/** Which builder a source gets. */
export type SourceKind = 'program' | 'node' | 'python';

export interface SourcePackage {
  /** Absolute. */
  readonly directory: string;
  readonly kind: SourceKind;
  readonly manifest: PackageManifest;
  /** `package.json` or `pyproject.toml` as read; empty for `build`. */
  readonly project: Readonly<Record<string, unknown>>;
}

const KIND_FILES: Readonly<Record<SourceKind, string>> = {
  program: 'build',
  node: 'package.json',
  python: 'pyproject.toml',
};

/** What kind of source a directory is, or undefined when it is none. Throws when it could be two. */
export async function findSourceKind(directory: string): Promise<SourceKind | undefined> {
  if (await isFile(join(directory, KIND_FILES.program))) return 'program';
  const node = await isFile(join(directory, KIND_FILES.node));
  const python = await isFile(join(directory, KIND_FILES.python));
  if (node && python) {
    throw new Error('has both package.json and pyproject.toml; keep one, or add an executable `build`');
  }
  if (node) return 'node';
  return python ? 'python' : undefined;
}

/** Reads what a source says of itself. Throws an Error that names the file and the member that is wrong. */
export async function readSource(directory: string, kind: SourceKind): Promise<SourcePackage> {
  const written = await readSourceManifest(directory);
  const project = await readProject(directory, kind);
  const facts = kind === 'python' ? asObject(project['project']) : project;
  const named = { name: facts['name'] ?? basename(directory), version: facts['version'] };
  const checked = checkManifest({ stdin: false, files: false, hosts: [], ...definedOnly(named), ...written });
  if (!checked.ok) {
    throw new Error(
      `${SOURCE_MANIFEST} (with ${KIND_FILES[kind]} for what it leaves out): ${sayFaults(checked.faults)}`,
    );
  }
  if (checked.value.name !== basename(directory)) {
    throw new Error(
      `is named ${quote(checked.value.name)}; expected the name of its directory, ${quote(basename(directory))}`,
    );
  }
  if (kind === 'program') await access(join(directory, 'build'), constants.X_OK).catch(refuseBuild);
  return { directory, kind, manifest: checked.value, project };
}

async function readSourceManifest(directory: string): Promise<SourceManifest> {
  const path = join(directory, SOURCE_MANIFEST);
  if (!(await isFile(path))) return {};
  const checked = parseSourceManifest(await readFile(path, 'utf8'));
  if (!checked.ok) throw new Error(`${SOURCE_MANIFEST} ${sayFaults(checked.faults)}`);
  return checked.value;
}

async function readProject(directory: string, kind: SourceKind): Promise<Record<string, unknown>> {
  if (kind === 'program') return {};
  const text = await readFile(join(directory, KIND_FILES[kind]), 'utf8');
  try {
    return asObject(kind === 'node' ? JSON.parse(text) : parseToml(text));
  } catch (error) {
    throw new Error(`${KIND_FILES[kind]} cannot be read: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}

function asObject(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? { ...value } : {};
}

function definedOnly(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));
}

function refuseBuild(): never {
  throw new Error('has a file `build` that is not executable (chmod +x build)');
}
