import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import { hasShipped } from './packages-service.ts';
import { makeTemporary, startService } from './service.ts';

const canIsolate = (await detectIsolation()).level !== 'none';
const hasCurl = spawnSync('curl', ['--version']).status === 0;

/** The shell block of the README that begins the chain. */
function chainOf(readme: string): string {
  const blocks = [...readme.matchAll(/^```sh\n([^]*?)^```$/gmu)].map((match) => match[1] ?? '');
  return blocks.find((block) => block.includes('data-fetch/invoke')) ?? '';
}

describe.skipIf(!canIsolate || !hasShipped || !hasCurl)(
  'the three calls of the README (needs curl, prlimit, setpriv and `npm run prebuild`)',
  () => {
    it('[S2.3-12] work as printed, against the shipped policy', async () => {
      const chain = chainOf(readFileSync('README.md', 'utf8'));
      expect(chain).toContain('http://127.0.0.1:8080');
      const root = await makeTemporary();
      const service = await startService({});
      try {
        const script = chain.replaceAll('http://127.0.0.1:8080', service.url);
        // Not awaited by a promise: the service is a process of its own.
        const ran = spawnSync('/bin/sh', ['-e', '-c', script], {
          cwd: root,
          encoding: 'utf8',
          timeout: 30_000,
        });
        expect(ran).toMatchObject({ status: 0 });
        expect(ran.stdout).toContain('"rows":96');
        expect(await readFile(join(root, 'plot.svg'), 'utf8')).toMatch(/^<svg [^]*<\/svg>\s*$/u);
      } finally {
        await service.stop();
        await rm(root, { recursive: true });
      }
    }, 60_000);
  },
);
