import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { createLog } from '../../src/compose/create-log.ts';
import { openCatalog } from '../../src/compose/open-catalog.ts';
import { checkConfig } from '../../src/config.ts';
import { BootError } from '../../src/core/boot-error.ts';

const log = createLog({ logLevel: 'silent', auditSync: false });
const OPEN = { HOST: '0.0.0.0' };
const NO_KEY = 'Without any API key';

/** Every fault that stops a start with this policy, one a line. */
async function faultsOf(policy: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'access-faults-')), 'policy.yaml');
  writeFileSync(path, policy);
  const reading = checkConfig({ POLICY_FILE: path, ...environment }, { dotEnvPath: '' });
  try {
    await (await openCatalog(reading, { log })).close();
    return 'it starts';
  } catch (error) {
    if (error instanceof BootError) return error.message;
    throw error;
  }
}

it('says at once that a key is missing and what else is wrong in the environment and the policy', async () => {
  const text = await faultsOf('approve: [local]\nprofiles: {}\nlimits: {run_calls: many}\n', {
    ...OPEN,
    PORT: 'x',
  });
  for (const part of ['PORT: ', 'run_calls']) expect(text).toContain(part);
  const clear = await faultsOf('approve: [local]\n', { ...OPEN, PORT: 'x' });
  for (const part of ['PORT: ', `HOST: ${NO_KEY}`]) expect(clear).toContain(part);
  const sections = 'profiles: {all: {}}\nlimits: {run_calls: many}\n';
  expect(await faultsOf(sections, OPEN)).toContain(`HOST: ${NO_KEY}`);
});

it.each([
  ['the key is broken', 'approve: []\n', { API_KEY: 'short' }],
  ['the key file cannot be read', 'approve: []\n', { API_KEY_FILE: '/does/not/exist' }],
  ['a caller is broken', 'profiles: {all: {}}\ncallers: [{name: a}]\n', {}],
  ['the callers are misspelt', 'profiles: {all: {}}\ncalers: []\n', {}],
  ['the policy is no YAML', 'callers: [\n', {}],
])('does not call the key missing as well when %s', async (_case, policy, environment) => {
  const text = await faultsOf(policy, { ...OPEN, ...environment });
  expect(text).not.toBe('it starts');
  expect(text).not.toContain(NO_KEY);
});
