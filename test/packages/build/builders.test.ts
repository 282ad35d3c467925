import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { discoverPackages } from '../../../src/packages/run/discover-packages.ts';
import { makeWorkshop, programPackage, under, writeTree } from './support.ts';

const hasUv = spawnSync('uv', ['--version']).status === 0;
const hasGo = spawnSync('go', ['version']).status === 0;

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
      'tool-package.json has unknown members: "timeout"',
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

const PYTHON_PACKAGE = {
  'pyproject.toml': `[project]
name = "py-one"
version = "0.3.0"
requires-python = ">=3.9"
dependencies = []

[project.scripts]
py-one = "py_one:main"

[dependency-groups]
dev = ["no-such-development-dependency"]

[build-system]
requires = ["uv_build>=0.9,<1"]
build-backend = "uv_build"
`,
  'uv.lock': `version = 1
requires-python = ">=3.9"

[[package]]
name = "py-one"
version = "0.3.0"
source = { editable = "." }
`,
  'src/py_one/__init__.py': `import json, sys
def main():
    if len(sys.argv) == 1: print(json.dumps([{"name": "py", "description": "Says hi."}]))
    elif len(sys.argv) == 2: print(json.dumps({"name": "py", "description": "Says hi.", "params_json_schema": {}}))
    else: print(json.dumps({"said": "hi", "prefix": sys.prefix}))
`,
};

describe('a Python package on a machine without uv', () => {
  it('is left out with a clear message, and the others are built', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, {
      ...under('py-one', PYTHON_PACKAGE),
      ...under('sh-one', programPackage()),
    });

    const report = await shop.build({ path: '/usr/bin:/bin' });

    expect(report.outcomes).toEqual([
      { name: 'py-one', outcome: 'left-out' },
      { name: 'sh-one', outcome: 'built' },
    ]);
    expect(shop.lines.join('\n')).toContain(
      'py-one: left out, it needs `uv` on PATH to build a Python package',
    );
    expect(await readdir(shop.output)).toEqual(['sh-one']);
  });
});

describe.skipIf(!hasUv)('a Python package (needs uv on PATH)', () => {
  it('[S2.2.4-1] [S2-30] becomes an environment that can be moved, without development dependencies', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('py-one', PYTHON_PACKAGE));

    await shop.build();
    const moved = `${shop.output}-moved`;
    await rename(shop.output, moved);

    const printed = execFileSync(join(moved, 'py-one/launch'), ['py', '{}'], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toEqual({ said: 'hi', prefix: join(moved, 'py-one/venv') });
    expect((await discoverPackages(moved)).packages[0]).toMatchObject({ name: 'py-one', version: '0.3.0' });
    const after = await discoverPackages(moved);
    expect(after.packages[0]?.commands.map(({ name }) => name)).toEqual(['py']);
  }, 120_000);

  it('[S2.2.4-1] ships an edit that kept the version, and the same bytes for the same source', async () => {
    const shop = await makeWorkshop();
    await writeTree(shop.sources, under('py-one', PYTHON_PACKAGE));
    await shop.build();
    const first = await readFile(join(shop.output, 'py-one/manifest.json'), 'utf8');
    await shop.build({ force: true });
    expect(await readFile(join(shop.output, 'py-one/manifest.json'), 'utf8')).toBe(first);

    const module = join(shop.sources, 'py-one/src/py_one/__init__.py');
    await writeFile(module, (await readFile(module, 'utf8')).replace('"hi"', '"hello"'));
    await shop.build();

    const printed = execFileSync(join(shop.output, 'py-one/launch'), ['py', '{}'], { encoding: 'utf8' });
    expect(JSON.parse(printed)).toMatchObject({ said: 'hello' });
  }, 120_000);

  it.each([
    ['no lock', 'uv.lock', undefined, 'has pyproject.toml but no uv.lock; run `uv lock`'],
    [
      'two scripts',
      'pyproject.toml',
      (text: string) => text.replace('py-one = "py_one:main"', 'a = "py_one:main"\nb = "py_one:main"'),
      'needs exactly one entry in [project.scripts]; received 2',
    ],
    ['a table that is no TOML', 'pyproject.toml', () => '[', 'pyproject.toml cannot be read'],
  ])('[S2.2.4-1] is refused with %s', async (_title, file, edit, message) => {
    const shop = await makeWorkshop();
    const { [file]: text = '', ...rest } = PYTHON_PACKAGE as Record<string, string>;
    await writeTree(
      shop.sources,
      under('py-one', { ...rest, ...(edit === undefined ? {} : { [file]: edit(text) }) }),
    );

    await expect(shop.build()).rejects.toThrow(message);
  });
});

describe.skipIf(!hasGo)('a Go package (needs go on PATH)', () => {
  it('is built by its own `build` into one ELF program', async () => {
    const shop = await makeWorkshop();
    const source = `package main

import (
	"fmt"
	"os"
)

func main() {
	switch len(os.Args) {
	case 1:
		fmt.Println(\`[{"name":"go","description":"Goes."}]\`)
	case 2:
		fmt.Println(\`{"name":"go","description":"Goes.","params_json_schema":{}}\`)
	default:
		fmt.Println(\`{"went":true}\`)
	}
}
`;
    await writeTree(shop.sources, {
      'go-one/main.go': source,
      'go-one/go.mod': 'module go-one\n\ngo 1.20\n',
      'go-one/tool-package.json': '{"version":"1"}',
      'go-one/build': '#!/bin/sh\nCGO_ENABLED=0 exec go build -trimpath -o "$1/launch" .\n',
    });

    await shop.build();

    expect((await discoverPackages(shop.output)).packages[0]?.commands.map(({ name }) => name)).toEqual([
      'go',
    ]);
  }, 180_000);
});
