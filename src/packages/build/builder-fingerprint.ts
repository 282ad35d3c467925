import { createHash } from 'node:crypto';

import { version as esbuildVersion } from 'esbuild';

import { NODE_OPTIONS } from './build-node.ts';
import { NODE_LAUNCHER, pythonLauncher } from './write-launcher.ts';

/** Raise it when a builder changes in a way that the other parts of the fingerprint do not show. */
const REVISION = 1;

/** `sha256:<hex>` over all in the builders that shapes what they make, besides the sources. */
export function fingerprintBuilder(): string {
  const shape = {
    revision: REVISION,
    platform: process.platform,
    processor: process.arch,
    esbuild: esbuildVersion,
    node: { launcher: NODE_LAUNCHER, options: NODE_OPTIONS },
    python: { launcher: pythonLauncher('script') },
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(shape)).digest('hex')}`;
}
