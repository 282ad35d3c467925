import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { PREBUILT_MANIFEST } from '../contract.ts';
import { digestFile, listContents } from '../list-contents.ts';
import { parsePrebuiltManifest } from '../parse-contract.ts';
import { hashSources } from './hash-sources.ts';

/** What a build would be made of now. */
export interface BuildInputs {
  /** Absolute. */
  readonly source: string;
  readonly sourceHash: string;
  readonly builder: string;
}

/** Why a prebuilt package must be built again, as a clause, or undefined when it is what a build would give. */
export async function findStaleness(prebuilt: string, inputs: BuildInputs): Promise<string | undefined> {
  const text = await readFile(join(prebuilt, PREBUILT_MANIFEST), 'utf8').catch(() => undefined);
  if (text === undefined) return 'not built yet';
  const checked = parsePrebuiltManifest(text);
  if (!checked.ok) return 'its manifest cannot be read';
  const manifest = checked.value;
  if (manifest.source_hash !== inputs.sourceHash) return 'its source has changed';
  if (manifest.builder !== inputs.builder) return 'the builder has changed';
  const outside = await digestOutside(inputs.source, Object.keys(manifest.outside)).catch(() => undefined);
  if (!isSame(outside, manifest.outside)) return 'something it uses outside its source has changed';
  const contents = await listContents(prebuilt).catch(() => undefined);
  const kept = contents?.filter(({ path }) => path !== PREBUILT_MANIFEST);
  return isSame(kept, manifest.contents) ? undefined : 'its files were changed after it was built';
}

/** Digests of files and directories outside a source, by their paths from it. */
export async function digestOutside(
  source: string,
  paths: readonly string[],
): Promise<Record<string, string>> {
  const digests: [string, string][] = [];
  for (const path of paths) {
    const full = join(source, path);
    const isDirectory = (await stat(full)).isDirectory();
    digests.push([path, isDirectory ? await hashSources(full) : await digestFile(full)]);
  }
  return Object.fromEntries(digests);
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
