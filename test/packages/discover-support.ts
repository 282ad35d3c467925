import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BootError } from '../../src/core/boot-error.ts';
import { discoverPackages } from '../../src/packages/run/discover-packages.ts';
import { makeWorkshop, programPackage, under, writeTree } from './build/support.ts';

export const TWO_COMMANDS = `#!/bin/sh
if [ $# -eq 0 ]; then echo '[{"name":"zeta","description":"Last. And more."},{"name":"alpha","description":"First"}]'; exit 0; fi
echo '{"name":"'$1'","description":"Does '$1'. Then stops.","params_json_schema":{"properties":{"n":{"type":"integer"}}},"triggers":["a n"],"produces":["text/csv"]}'
`;

/** A directory with the packages `one` (alpha, zeta) and `two` (greet), built whole. */
export async function makePrebuilt(): Promise<string> {
  const shop = await makeWorkshop();
  const manifest = {
    version: '1.2.3',
    stdin: true,
    files: true,
    timeout_ms: 5_000,
    idle_ms: 900,
    memory_mb: 128,
    hosts: ['a.example:8080'],
  };
  await writeTree(shop.sources, {
    ...under('one', programPackage(TWO_COMMANDS, manifest)),
    ...under('two', programPackage()),
  });
  await shop.build();
  return shop.output;
}

/** Makes a package agree with its own manifest again after a test has changed a file on purpose. */
export async function resign(directory: string, path: string): Promise<void> {
  const manifestPath = join(directory, 'manifest.json');
  const manifest = JSON.parse(await readFile(manifestPath, 'utf8')) as {
    contents: { path: string; sha256: string; size_bytes: number }[];
  };
  const bytes = await readFile(join(directory, path));
  for (const entry of manifest.contents.filter((entry) => entry.path === path)) {
    entry.sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    entry.size_bytes = bytes.length;
  }
  await writeFile(manifestPath, JSON.stringify(manifest));
}

/** All faults that stop the boot, one a line; '' when nothing does. */
export async function faultsOf(directory: string): Promise<string> {
  try {
    await discoverPackages(directory);
    return '';
  } catch (error) {
    if (error instanceof BootError) return error.message;
    throw error;
  }
}
