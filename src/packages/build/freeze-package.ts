import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { quote } from '../../core/quote.ts';
import { findLauncherFault } from '../check-launcher.ts';
import {
  COMMAND_LIST,
  LAUNCHER,
  PREBUILT_MANIFEST,
  SCHEMA_DIRECTORY,
  type PrebuiltManifest,
} from '../contract.ts';
import { listContents } from '../list-contents.ts';
import { describeCommands } from './describe-commands.ts';
import { openModes } from './open-modes.ts';
import type { RunLauncher } from './run-launcher.ts';

/** Names that the freezing writes; a package must not bring its own. */
const RESERVED = [COMMAND_LIST, SCHEMA_DIRECTORY, PREBUILT_MANIFEST];

/**
 * Turns what a builder left in `output` into a prebuilt package: asks the launcher what it can do and writes the answers
 * down beside it, with a digest of every file. Throws an Error when the launcher breaks the contract.
 */
export async function freezePackage(
  output: string,
  origin: Omit<PrebuiltManifest, 'format' | 'contents'>,
  run: RunLauncher,
): Promise<void> {
  const launcher = join(output, LAUNCHER);
  const fault = await findLauncherFault(launcher);
  if (fault !== undefined) throw new Error(`the built file ${quote(LAUNCHER)} ${fault}`);
  for (const name of RESERVED) await rm(join(output, name), { recursive: true, force: true });
  await openModes(output);
  const before = await listContents(output);
  const { commands, descriptions } = await describeCommands({ directory: output, launcher }, run);
  await refuseChanges(output, before);
  await writeJson(join(output, COMMAND_LIST), commands);
  await mkdir(join(output, SCHEMA_DIRECTORY));
  for (const description of descriptions) {
    await writeJson(join(output, SCHEMA_DIRECTORY, `${description.name}.json`), description);
  }
  await openModes(output);
  await writeJson(join(output, PREBUILT_MANIFEST), {
    format: 1,
    ...origin,
    contents: await listContents(output),
  } satisfies PrebuiltManifest);
}

/** A launcher that writes into its own package would be refused at every boot after its first run. */
async function refuseChanges(output: string, before: object): Promise<void> {
  if (JSON.stringify(await listContents(output)) !== JSON.stringify(before)) {
    throw new Error('the launcher changes files of its own package when it runs; write to TMPDIR or HOME');
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o644 });
}
