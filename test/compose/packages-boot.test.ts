import { cp, mkdtemp, readFile, realpath, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openCatalog, type OpenCatalog } from '../../src/compose/open-catalog.ts';
import { createLog } from '../../src/compose/create-log.ts';
import { refsOfUnbuilt } from '../../src/compose/refused-refs.ts';
import { findGrantFaults } from '../../src/compose/grant-packages.ts';
import { sortByIsolation } from '../../src/compose/sort-by-isolation.ts';
import { parsePolicy } from '../../src/catalog/policy-parse.ts';
import { checkConfig } from '../../src/config.ts';
import { BootError } from '../../src/core/boot-error.ts';
import { detectIsolation } from '../../src/packages/run/detect-isolation.ts';
import type { Isolation } from '../../src/packages/run/isolation.ts';
import { buildFixtures } from '../e2e/service.ts';
import { discovered } from '../packages/run/commands-here.ts';

const canIsolate = (await detectIsolation()).level !== 'none';
const log = createLog({ logLevel: 'silent', auditSync: false });
let root: string;
let prebuilt: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'packages-boot-')));
  prebuilt = join(root, 'prebuilt');
  await buildFixtures(prebuilt);
}, 60_000);
afterAll(async () => rm(root, { recursive: true, force: true }));

interface Boot {
  readonly policy: string;
  readonly packagesDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a start settles; the caller closes it. */
async function open({ policy, packagesDir = prebuilt, environment = {} }: Boot): Promise<OpenCatalog> {
  const path = join(root, 'policy.yaml');
  await writeFile(path, `isolation: {minimum: limits}\n${policy}\n`);
  const variables = { POLICY_FILE: path, PACKAGES_DIR: packagesDir, ...environment };
  return openCatalog(checkConfig(variables, { dotEnvPath: '' }), { log });
}

/** Refs that are approved. */
async function approved(boot: Boot): Promise<string[]> {
  const opened = await open(boot);
  await opened.close();
  return opened.catalog.known.filter((tool) => tool.approved).map(({ entry }) => entry.ref);
}

/** Every fault that stops the start, one a line. */
async function faults(boot: Boot): Promise<string> {
  try {
    await (await open(boot)).close();
    return 'it starts';
  } catch (error) {
    if (error instanceof BootError) return error.message;
    throw error;
  }
}

/** The digest of a package as the catalog shows it. */
async function digestOf(ref: string): Promise<string> {
  const opened = await open({ policy: 'approve: []' });
  await opened.close();
  return opened.catalog.known.find(({ entry }) => entry.ref === ref)?.entry.digest ?? '';
}

describe.skipIf(!canIsolate)('the directory of packages (needs prlimit and setpriv)', () => {
  it('stops the start when it is configured and missing', async () => {
    expect(await faults({ policy: 'approve: []', packagesDir: join(root, 'nowhere') })).toMatch(
      /nowhere: The directory of prebuilt tool packages is missing/u,
    );
  });

  it.each(['commands.json', 'manifest.json', 'schemas/ends.json', 'launch'])(
    '[S2.3-18.8] stops the start when a package in it is half-built, naming package and path: without %s',
    async (file) => {
      const half = join(root, 'half');
      await cp(prebuilt, half, { recursive: true });
      await unlink(join(half, 'odd-jobs', file));
      const told = await faults({ policy: 'approve: [odd-jobs@1.0.0]', packagesDir: half });
      expect(told).toContain(`${join(half, 'odd-jobs', file)}: The package odd-jobs:`);
      await rm(half, { recursive: true });
    },
  );

  it('stops the start when a file was changed after the build', async () => {
    const changed = join(root, 'changed');
    await cp(prebuilt, changed, { recursive: true });
    const launch = join(changed, 'odd-jobs/launch');
    await writeFile(launch, `${await readFile(launch, 'utf8')}\n# more`);
    expect(await faults({ policy: 'approve: []', packagesDir: changed })).toContain('"launch" differs');
    await rm(changed, { recursive: true });
  });
});

describe.skipIf(!canIsolate)('approving packages (needs prlimit and setpriv)', () => {
  it('[S2-20] approves all commands of a package, or one', async () => {
    expect(await approved({ policy: 'approve: [slow-jobs@2.0.0]' })).toEqual([
      'drips@2.0.0',
      'hangs@2.0.0',
      'waits@2.0.0',
    ]);
    expect(await approved({ policy: 'approve: [slow-jobs:hangs@2.0.0]' })).toEqual(['hangs@2.0.0']);
  });

  it.each([
    'slow-jobs',
    'slow-jobs@2',
    'slow-jobs@latest',
    'slow-jobs:hangs',
    'hangs@2.0.0',
    'slow-job@2.0.0',
    'slow-jobs:hang@2.0.0',
  ])('stops the start for the entry %s', async (entry) => {
    expect(await faults({ policy: `approve: ['${entry}']` })).toMatch(/policy\.yaml:2:\d+: /u);
  });

  it('[S2-21] [S2.3-18.9] stops the start when two approved commands have one name, naming both', async () => {
    expect(await faults({ policy: 'approve: [odd-jobs@1.0.0, slow-jobs@2.0.0]' })).toContain(
      'Only one approved tool can have the name waits: there are waits@1.0.0 (package:odd-jobs) and waits@2.0.0 (package:slow-jobs)',
    );
  });

  it('takes a pin that matches, and stops the start for another one, telling what is there', async () => {
    const digest = await digestOf('hangs@2.0.0');
    expect(await approved({ policy: `approve: ['slow-jobs:hangs@2.0.0#${digest}']` })).toEqual([
      'hangs@2.0.0',
    ]);
    expect(await approved({ policy: `approve: ['slow-jobs@2.0.0#${digest}']` })).toHaveLength(3);
    const other = `sha256:${'0'.repeat(64)}`;
    const told = await faults({ policy: `approve: ['slow-jobs@2.0.0#${other}']` });
    expect(told).toContain(other);
    expect(told).toContain(digest);
  });

  it('[S2-20] takes packages and commands in profiles by name and by ref', async () => {
    const opened = await open({
      policy:
        'approve: [slow-jobs@2.0.0, foreign-pattern@1.0.0]\n' +
        'default_profile: p\nprofiles: {p: {tools: [slow-jobs:hangs, foreign-pattern, drips]}}',
    });
    await opened.close();
    const { grant } = opened.callers.identify(undefined);
    expect(opened.catalog.list(grant).map(({ ref }) => ref)).toEqual([
      'check_code@1.0.0',
      'drips@2.0.0',
      'hangs@2.0.0',
    ]);
  });

  it.each([
    'one-broken:leads_out@2.0.0',
    'one-broken:will_not_compile@2.0.0',
    `one-broken:leads_out@2.0.0#sha256:${'0'.repeat(64)}`,
  ])('goes on when the command of an entry was refused, and reports the entry: %s', async (entry) => {
    const opened = await open({ policy: `approve: ['${entry}']` });
    await opened.close();
    expect(opened.catalog.deadEntries).toEqual([{ entry, reason: expect.stringMatching(/./u) }]);
  });
});

describe.skipIf(!canIsolate)('granting to packages (needs prlimit and setpriv)', () => {
  const grant = (text: string): string => `approve: [slow-jobs:hangs@2.0.0]\npackages: {${text}}`;

  it('stops the start for a package that is not there, with the nearest name', async () => {
    expect(await faults({ policy: grant('slow-job: {hosts: [a.example]}') })).toMatch(
      /policy\.yaml:3:\d+: There is no package slow-job\. Did you mean slow-jobs\?/u,
    );
  });

  it('stops the start for a variable that is not set, and never tells the value of one that is', async () => {
    const told = await faults({
      policy: grant('slow-jobs: {env: [TOKEN_SET, TOKEN_MISSING]}'),
      environment: { TOKEN_SET: 'the-secret' },
    });
    expect(told).toContain('TOKEN_MISSING, granted to the package slow-jobs, is not set.');
    expect(told).not.toContain('the-secret');
  });

  it('takes hosts and variables that are set', async () => {
    const policy = grant('slow-jobs: {hosts: [a.example], env: [TOKEN_SET]}');
    expect(await approved({ policy, environment: { TOKEN_SET: 'x' } })).toEqual(['hangs@2.0.0']);
  });
});

describe('how far a machine can isolate', () => {
  const levels = async (level: Isolation['level']): Promise<Isolation> => ({
    ...(await detectIsolation({ strongest: 'none' })),
    level,
    detail: `Package isolation: ${level}.`,
  });
  const spec = {
    version: '1',
    kind: 'tool',
    summary: '',
    description: '',
    inputSchema: {},
    lane: 'process',
  } as const;
  const shipped = discovered('prints-json', { name: 'shipped' });
  const foreign = discovered('prints-json', {
    name: 'foreign',
    commands: [{ name: 'run', spec: { ...spec, name: 'run', origin: 'package:foreign' } }],
  });
  const found = { packages: [shipped, foreign], isShipped: (pkg: unknown) => pkg === shipped };

  it.each<[Isolation['level'], 'namespaces' | 'limits', string[]]>([
    ['namespaces', 'namespaces', ['shipped', 'foreign']],
    ['limits', 'namespaces', ['shipped']],
    ['limits', 'limits', ['shipped', 'foreign']],
    ['none', 'limits', []],
  ])('at the level %s, with the minimum %s, runs %j', async (level, minimumIsolation, names) => {
    const { usable, refusals } = sortByIsolation(found, await levels(level), { minimumIsolation });
    expect(usable.map(({ name }) => name)).toEqual(names);
    expect(refusals.map(({ ref }) => ref)).toEqual(names.includes('foreign') ? [] : ['run@1']);
  });

  it('leaves the policy right that names shipped packages which could not be built here', () => {
    const texts = ['data-fetch@1.0.0', 'csv-column-summary:plot@1.0.0'];
    const written = [
      `approve: [${texts.join(', ')}]`,
      'profiles: {p: {tools: [summarise, csv-column-summary, data-fetch]}}',
      'packages: {data-fetch: {hosts: [a.example]}}',
    ];
    const policy = parsePolicy(written.join('\n'), 'policy.yaml');
    const unbuilt = new Map([
      ['data-fetch', ['data-fetch']],
      ['csv-column-summary', ['plot', 'summarise']],
    ]);
    expect(refsOfUnbuilt(policy, unbuilt).map(({ ref }) => ref)).toEqual([
      ...texts,
      'summarise',
      'csv-column-summary',
      'data-fetch',
    ]);
    expect(findGrantFaults(policy, { packages: [], unbuilt }, checkConfig({}, { dotEnvPath: '' }))).toEqual(
      [],
    );
  });
});
