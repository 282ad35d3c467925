import { execFile, execFileSync } from 'node:child_process';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { discoverPackages } from '../../../src/packages/run/discover-packages.ts';
import { makeWorkshop, under, writeTree } from './support.ts';

const MAIN = `import { shout } from '../../shared/shout.ts';
import text from './words.txt';
const [command, json] = process.argv.slice(2);
if (command === undefined) console.log(JSON.stringify([{ name: 'shout', description: 'Shouts.' }]));
else if (json === undefined) console.log(JSON.stringify({ name: 'shout', description: 'Shouts.', params_json_schema: {} }));
else console.log(JSON.stringify({ said: shout(text.trim()) }));
`;

const NODE_PACKAGE = {
  'package.json': JSON.stringify({ name: 'node-one', version: '2.0.1', main: 'main.ts' }),
  'main.ts': MAIN.replace('../../shared', '../shared'),
  'words.txt': 'hello\n',
};

describe('a Node package', () => {
  it('[S2-30] is bundled with what it imports into one file that runs after it was moved', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('node-one', NODE_PACKAGE));
    await writeTree(shop.sources, {
      'shared/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();\n',
    });

    await shop.build();
    const moved = `${shop.output}-moved`;
    await rename(shop.output, moved);

    expect((await readdir(join(moved, 'node-one'))).toSorted()).toEqual([
      'commands.json',
      'launch',
      'main.mjs',
      'manifest.json',
      'schemas',
    ]);
    const printed = execFileSync(join(moved, 'node-one/launch'), ['shout', '{}'], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({ said: 'HELLO' });
    expect((await discoverPackages(moved)).packages[0]).toMatchObject({ name: 'node-one', version: '2.0.1' });
  });

  it('is built again when a file outside its directory changes that it imports', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('node-one', NODE_PACKAGE));
    await writeTree(shop.sources, { 'shared/shout.ts': 'export const shout = (text: string) => text;\n' });
    await shop.build();
    expect((await shop.build()).outcomes[0]?.outcome).toBe('unchanged');

    await writeFile(
      join(shop.sources, 'shared/shout.ts'),
      'export const shout = (text: string) => `${text}!`;\n',
    );

    expect((await shop.build()).outcomes[0]?.outcome).toBe('built');
    expect(shop.lines.join('\n')).toContain('something it uses outside its source has changed');
  });

  it('gives the same bytes each time and names no path of this machine', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('node-one', NODE_PACKAGE));
    await writeTree(shop.sources, { 'shared/shout.ts': 'export const shout = (text: string) => text;\n' });
    await shop.build();
    const first = await readFile(join(shop.output, 'node-one/manifest.json'), 'utf8');

    await shop.build({ force: true });

    expect(await readFile(join(shop.output, 'node-one/manifest.json'), 'utf8')).toBe(first);
    expect(first + (await readFile(join(shop.output, 'node-one/main.mjs'), 'utf8'))).not.toContain(
      shop.sources,
    );
  });

  it.each([
    ['no "main"', { 'package.json': '{"name":"node-one","version":"1"}' }, 'package.json needs "main"'],
    [
      'an import that is not there',
      { 'main.ts': "import 'no-such-module-here';\n" },
      'Could not resolve "no-such-module-here"',
    ],
    [
      'another name than its directory',
      { 'package.json': '{"name":"other","version":"1","main":"main.ts"}' },
      'is named "other"; expected the name of its directory, "node-one"',
    ],
    [
      'the version latest',
      { 'package.json': '{"name":"node-one","version":"latest","main":"main.ts"}' },
      'must be an exact version, received "latest"',
    ],
    ['package.json that is no JSON', { 'package.json': '{' }, 'package.json cannot be read'],
    ['pyproject.toml as well', { 'pyproject.toml': '' }, 'has both package.json and pyproject.toml'],
    [
      'an unknown member',
      { 'tool-package.json': '{"timeout":5}' },
      'tool-package.json /timeout is not a known member',
    ],
    [
      'a limit that is no number',
      { 'tool-package.json': '{"timeout_ms":"5s"}' },
      '/timeout_ms must be integer, received "5s"',
    ],
    [
      'a host with a scheme',
      { 'tool-package.json': '{"hosts":["https://x.org"]}' },
      '/hosts/0 must match pattern',
    ],
  ])('is refused with %s', async (_title, files, message) => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('node-one', { ...NODE_PACKAGE, ...files }));

    await expect(shop.build()).rejects.toThrow(message);
  });

  it('with a lock of its own has its dependencies installed, and none of their scripts run', async () => {
    const shop = await makeWorkshop();
    const stolen = join(shop.sources, 'script-has-run');
    const dependency = {
      name: 'dep',
      version: '1.0.0',
      main: 'i.js',
      scripts: { install: `touch ${stolen}` },
    };
    await writeTree(shop.sources, {
      'dep/package.json': JSON.stringify(dependency),
      'dep/i.js': 'module.exports = "from dep";\n',
    });
    execFileSync('npm', ['pack', '--silent'], { cwd: join(shop.sources, 'dep') });
    await rename(join(shop.sources, 'dep/dep-1.0.0.tgz'), join(shop.sources, '../dep-1.0.0.tgz'));
    await serveFile(join(shop.sources, '../dep-1.0.0.tgz'), async (url) => {
      const manifest = { name: 'locked', version: '1.0.0', main: 'main.js', dependencies: { dep: url } };
      await writeTree(shop.sources, {
        'locked/package.json': JSON.stringify(manifest),
        'locked/main.js': `import dep from 'dep';\n${MAIN.split('\n').slice(2).join('\n').replace('shout(text.trim())', 'dep')}`,
      });
      await promisify(execFile)('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
        cwd: join(shop.sources, 'locked'),
      });

      await shop.build({ names: ['locked'] });
    });

    const printed = execFileSync(join(shop.output, 'locked/launch'), ['shout', '{}'], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({ said: 'from dep' });
    expect(await readdir(shop.sources)).not.toContain('script-has-run');
    expect(await readdir(join(shop.sources, 'locked'))).not.toContain('node_modules');
  }, 60_000);
});

async function serveFile(path: string, use: (url: string) => Promise<void>): Promise<void> {
  const bytes = await readFile(path);
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    await use(`http://127.0.0.1:${port}/dep-1.0.0.tgz`);
  } finally {
    server.close();
  }
}
