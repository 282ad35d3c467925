import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { LAUNCHER } from '../contract.ts';

/** Starts the one bundled file beside it. */
export const NODE_LAUNCHER = `#!/usr/bin/env node
import('./main.mjs').catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
`;

/** Starts the console script of the environment beside it. The broker starts launchers by absolute path. */
export function pythonLauncher(script: string): string {
  return `#!/bin/sh
here="\${0%/*}"
exec "$here/venv/bin/python" -P "$here/venv/bin/${script}" "$@"
`;
}

export async function writeLauncher(output: string, text: string): Promise<void> {
  const path = join(output, LAUNCHER);
  await writeFile(path, text);
  await chmod(path, 0o755);
}
