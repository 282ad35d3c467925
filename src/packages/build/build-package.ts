import { basename, join, resolve } from 'node:path';

import { buildNode } from './build-node.ts';
import { buildProgram } from './build-program.ts';
import { buildPython } from './build-python.ts';
import { fingerprintBuilder } from './builder-fingerprint.ts';
import type { Builder, BuildTools } from './builder.ts';
import { digestOutside, findStaleness } from './find-staleness.ts';
import { freezePackage } from './freeze-package.ts';
import { hashSources } from './hash-sources.ts';
import { findSourceKind, readSource, type SourceKind } from './read-source.ts';
import { replaceDirectory } from './replace-directory.ts';
import type { RunLauncher } from './run-launcher.ts';

export type BuildOutcome = 'built' | 'unchanged';

const BUILDERS: Readonly<Record<SourceKind, Builder>> = {
  node: buildNode,
  python: buildPython,
  program: buildProgram,
};

/**
 * Builds the package in `directory` into `<output>/<name>`, unless nothing that goes into it has changed. Throws an
 * Error that says what is wrong; then what was built before is still in place.
 */
export async function buildPackage(
  directory: string,
  request: {
    readonly output: string;
    readonly force: boolean;
    readonly run: RunLauncher;
    readonly tools: BuildTools;
    readonly log: (line: string) => void;
  },
): Promise<BuildOutcome> {
  const kind = await findSourceKind(directory);
  if (kind === undefined)
    throw new Error('has none of package.json, pyproject.toml and an executable `build`');
  const inputs = {
    source: directory,
    sourceHash: await hashSources(directory),
    builder: fingerprintBuilder(),
  };
  const target = join(resolve(request.output), basename(directory));
  const stale = request.force ? 'asked for' : await findStaleness(target, inputs);
  if (stale === undefined) {
    request.log('unchanged, skipped');
    return 'unchanged';
  }
  request.log(`building (${stale})`);
  const startedMs = performance.now();
  const source = await readSource(directory, kind);
  await replaceDirectory(target, async (staging) => {
    const outside = await BUILDERS[kind](source, staging, request.tools);
    const origin = {
      package: source.manifest,
      source_hash: inputs.sourceHash,
      builder: inputs.builder,
      outside: await digestOutside(directory, outside),
    };
    await freezePackage(staging, origin, request.run);
  });
  request.log(`built in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  return 'built';
}
