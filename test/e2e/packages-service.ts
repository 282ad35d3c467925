import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import { buildFixtures, makeTemporary, startService, writePolicy, type RunningService } from './service.ts';

export const canIsolate = (await detectIsolation()).level !== 'none';
export const hasShipped = ['data-fetch', 'csv-column-summary'].every((name) =>
  existsSync(`prebuilt/${name}`),
);

const POLICY = [
  'approve:',
  '  - local',
  '  - data-fetch@1.0.0',
  '  - csv-column-summary@1.0.0',
  '  - odd-jobs@1.0.0',
  '  - slow-jobs:hangs@2.0.0',
  '  - slow-jobs:drips@2.0.0',
  '  - foreign-pattern@1.0.0',
  '  - one-broken@2.0.0',
  'isolation: {minimum: limits}',
  'limits: {max_concurrent_calls: 4, max_queued_calls: 4, max_artifact_bytes: 400000}',
];

export interface PackagesService {
  readonly root: string;
  /** The fixture packages, built. */
  readonly prebuilt: string;
  readonly service: RunningService;
  /** Another one, over the same policy. */
  readonly start: (more?: Readonly<Record<string, string>>) => Promise<RunningService>;
  readonly close: () => Promise<void>;
}

/** A service of its own over the shipped packages and the fixtures. */
export async function openPackages(): Promise<PackagesService> {
  const root = await makeTemporary();
  const prebuilt = join(root, 'prebuilt');
  const policyFile = join(root, 'policy.yaml');
  writePolicy(policyFile, POLICY);
  await buildFixtures(prebuilt);
  const start: PackagesService['start'] = async (more = {}) =>
    startService({ POLICY_FILE: policyFile, PACKAGES_DIR: prebuilt, ...more });
  const service = await start();
  const close = async (): Promise<void> => {
    await service.stop();
    await rm(root, { recursive: true, force: true });
  };
  return { root, prebuilt, service, start, close };
}
