import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findSystemPrograms } from '../../src/packages/run/system-programs.ts';
import { hasNamespaces } from '../packages/run/sandboxes-here.ts';
import { hasShipped } from './packages-service.ts';
import { makeTemporary, startService, writePolicy } from './service.ts';

/** A machine without the programs that isolate, in which `hidden` is empty. */
function withoutIsolation(hidden: readonly string[]): string[] {
  const programs = findSystemPrograms();
  const masks = Object.values(programs).flatMap((path: string) => ['--ro-bind', '/dev/null', path]);
  const empty = hidden.flatMap((path) => ['--tmpfs', path]);
  return [programs.bubblewrap ?? 'bwrap', '--dev-bind', '/', '/', '--die-with-parent', ...masks, ...empty];
}

describe.skipIf(!hasNamespaces)('on a machine that isolates nothing (needs bubblewrap to play it)', () => {
  it.each<[string, string[], string]>([
    ...(hasShipped ? [['are there', [], 'isolate nothing'] as [string, string[], string]] : []),
    ['were not built', [resolve('prebuilt')], 'not been built'],
  ])(
    'the service starts, and reports the shipped packages that %s',
    async (_title, hidden, reason) => {
      const root = await makeTemporary();
      const policyFile = join(root, 'policy.yaml');
      writePolicy(policyFile, ['approve: [local, data-fetch@1.0.0, csv-column-summary:plot@1.0.0]']);
      const service = await startService({ POLICY_FILE: policyFile }, withoutIsolation(hidden));
      try {
        const { json } = await service.ask('GET /readyz');
        expect(json).toMatchObject({ status: 'degraded', tools: 5, dead_policy_entries: 2 });
        expect(JSON.stringify(json)).toContain(reason);
        expect((await service.invoke('plot')).status).toBe(404);
      } finally {
        await service.stop();
        await rm(root, { recursive: true });
      }
    },
    40_000,
  );
});
