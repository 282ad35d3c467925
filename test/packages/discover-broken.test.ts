import { chmod, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { discoverPackages } from '../../src/packages/run/discover-packages.ts';
import { faultsOf, makePrebuilt, resign, TWO_COMMANDS } from './discover-support.ts';

describe('a half-built or changed package stops the boot', () => {
  it.each<[string, (one: string) => Promise<unknown>, string]>([
    [
      'no commands.json',
      async (one) => rm(join(one, 'commands.json')),
      'commands.json is missing, so it is half-built',
    ],
    [
      'no schemas',
      async (one) => rm(join(one, 'schemas'), { recursive: true }),
      'schemas is missing, so it is half-built',
    ],
    [
      'a listed command without a schema',
      async (one) => rm(join(one, 'schemas/zeta.json')),
      'schemas/zeta.json is missing, so it is half-built',
    ],
    [
      'no manifest',
      async (one) => rm(join(one, 'manifest.json')),
      'manifest.json is missing, so it is half-built',
    ],
    ['no launcher', async (one) => rm(join(one, 'launch')), 'launch is missing'],
    [
      'a launcher that is not executable',
      async (one) => chmod(join(one, 'launch'), 0o644),
      'launch is not executable',
    ],
    [
      'an edited launcher',
      async (one) => writeFile(join(one, 'launch'), `${TWO_COMMANDS}#`),
      '"launch" differs from what was built',
    ],
    [
      'an edited schema',
      async (one) => writeFile(join(one, 'schemas/zeta.json'), '{}'),
      '"schemas/zeta.json" differs from what was built',
    ],
    [
      'an added file',
      async (one) => writeFile(join(one, 'sitecustomize.py'), ''),
      '"sitecustomize.py" was not there when it was built',
    ],
    [
      'a torn list',
      async (one) => truncate(join(one, 'commands.json'), 20),
      'commands.json is not one JSON document',
    ],
    ['an empty list file', async (one) => truncate(join(one, 'commands.json'), 0), 'commands.json is empty'],
    [
      'a torn manifest',
      async (one) => truncate(join(one, 'manifest.json'), 50),
      'manifest.json is not one JSON document',
    ],
    [
      'a list that is a link',
      async (one) => linkOver(join(one, 'commands.json'), '/etc/hostname'),
      'commands.json is not a regular file',
    ],
    [
      'a device for a launcher',
      async (one) => linkOver(join(one, 'launch'), '/dev/zero'),
      'launch is not a regular file',
    ],
    [
      'another name in the manifest',
      async (one) => edit(join(one, 'manifest.json'), '"name": "one"', '"name": "two"'),
      'its manifest bears the name two',
    ],
    [
      'a manifest of another format',
      async (one) => edit(join(one, 'manifest.json'), '"format": 1', '"format": 2'),
      '/format must be equal to constant',
    ],
    [
      'a path that climbs out',
      async (one) => edit(join(one, 'manifest.json'), '"path": "launch"', '"path": "a/../../launch"'),
      'names a path that leaves the package',
    ],
  ])('[S2.2.3-1] with %s', async (_title, harm, message) => {
    const directory = await makePrebuilt();
    await harm(join(directory, 'one'));

    const faults = await faultsOf(directory);

    expect(faults).toContain(message);
    expect(faults).toContain(join(directory, 'one'));
    expect(faults).toContain('npm run prebuild one -- --force');
  });

  it('[S2.2.3-1] telling all packages that are broken at once', async () => {
    const directory = await makePrebuilt();
    await rm(join(directory, 'one/commands.json'));
    await rm(join(directory, 'two/launch'));
    await mkdir(join(directory, 'three'));
    await mkdir(join(directory, 'no name'));

    const faults = await faultsOf(directory);

    expect(faults.split('\n').map((line) => line.replace(directory, '').split(' ')[0])).toEqual([
      '/no',
      '/one/commands.json:',
      '/three/commands.json:',
      '/two/launch:',
    ]);
  });

  it('[S2-32.12] with one name listed twice, naming it', async () => {
    const directory = await makePrebuilt();
    const list = [
      { name: 'zeta', description: 'x' },
      { name: 'zeta', description: 'y' },
    ];
    await writeFile(join(directory, 'one/commands.json'), JSON.stringify(list));

    expect(await faultsOf(directory)).toContain('lists the command "zeta" twice');
  });

  it('with a list of 1,001 commands', async () => {
    const directory = await makePrebuilt();
    const list = Array.from({ length: 1_001 }, (_, index) => ({ name: `c${index}`, description: 'x' }));
    await writeFile(join(directory, 'one/commands.json'), JSON.stringify(list));

    expect(await faultsOf(directory)).toContain('lists 1001 commands; at most 1000 are allowed');
  });
});

describe('one command that is broken', () => {
  const good = { name: 'zeta', description: 'x', params_json_schema: { type: 'object' } };
  it.each<[string, object | string, string]>([
    ['is no JSON', '{', 'is not one JSON document'],
    ['has no description', { ...good, description: undefined }, 'lacks description'],
    ['bears another name', { ...good, name: 'alpha' }, 'describes "alpha"; expected "zeta"'],
    [
      'hides text from its reader',
      { ...good, description: 'Fine.\u200B\u202E' },
      '/description holds concealed characters: 1 zero-width character, at',
    ],
    [
      'hides text in its schema',
      { ...good, params_json_schema: { properties: { 'a\u{E0041}': {} } } },
      '/params_json_schema/properties/a holds concealed characters: 1 tag character',
    ],
    ['holds a control character', { ...good, triggers: ['\u0007'] }, '/triggers/0 holds concealed'],
    [
      'hides text in an example',
      { ...good, examples: [{ input: 'x', arguments: { a: 'b\u2066' } }] },
      '/examples/0/arguments/a holds concealed',
    ],
    ['has no schema', { ...good, params_json_schema: undefined }, 'lacks params_json_schema'],
    [
      'takes a string for its arguments',
      { ...good, params_json_schema: { type: 'string' } },
      'describes "string"; arguments are an object',
    ],
    [
      'has a $ref to a file',
      { ...good, params_json_schema: { properties: { a: { $ref: 'file:///etc/passwd' } } } },
      'has a $ref that leaves the document',
    ],
    [
      'has a $ref to a host',
      { ...good, params_json_schema: { anyOf: [{ $ref: 'https://x.example/s' }] } },
      'has a $ref that leaves the document',
    ],
    [
      'has a schema that is too deep',
      { ...good, params_json_schema: nest(70) },
      'is nested more than 64 deep',
    ],
    [
      'has a schema that is too large',
      { ...good, params_json_schema: { description: 'x'.repeat(262_145) } },
      'at most 262144 are allowed',
    ],
  ])('is refused when it %s, and its neighbours live', async (_title, description, reason) => {
    const directory = await makePrebuilt();
    const path = join(directory, 'one/schemas/zeta.json');
    await writeFile(path, typeof description === 'string' ? description : JSON.stringify(description));
    await resign(join(directory, 'one'), 'schemas/zeta.json');

    const { packages, refusals } = await discoverPackages(directory);

    expect(packages.map(({ commands }) => commands.map(({ name }) => name))).toEqual([['alpha'], ['greet']]);
    expect(refusals).toEqual([
      {
        origin: 'package:one',
        source: path,
        reason: expect.stringContaining(reason) as string,
        ref: 'zeta@1.2.3',
      },
    ]);
  });
});

function nest(depth: number): object {
  return Array.from({ length: depth }).reduce<object>((inner) => ({ not: inner }), {});
}

async function linkOver(path: string, target: string): Promise<void> {
  await rm(path);
  await symlink(target, path);
}

async function edit(path: string, from: string, to: string): Promise<void> {
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
}
