import { execFileSync, spawnSync } from 'node:child_process';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { discoverPackages } from '../../../src/packages/run/discover-packages.ts';
import { makeWorkshop, programPackage, under, writeTree } from './support.ts';

const hasUv = spawnSync('uv', ['--version']).status === 0;

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

  it('[S2.2.4-1] is left out without uv.lock, and told where to make it', async () => {
    const shop = await makeWorkshop();
    const { 'uv.lock': _lock, ...rest } = PYTHON_PACKAGE;
    await writeTree(shop.sources, under('py-one', rest));

    expect((await shop.build()).outcomes).toEqual([{ name: 'py-one', outcome: 'left-out' }]);
    expect(shop.lines.join('\n')).toContain(
      `left out, it needs uv.lock, which pins its dependencies; run \`uv lock\` in ${join(shop.sources, 'py-one')}`,
    );
  });

  const twoScripts = (text: string) =>
    text.replace('py-one = "py_one:main"', 'a = "py_one:main"\nb = "py_one:main"');
  it.each<[string, { file: string; edit?: (text: string) => string }, string]>([
    [
      'two scripts',
      { file: 'pyproject.toml', edit: twoScripts },
      'needs exactly one entry in [project.scripts]; received 2',
    ],
    ['a file that is no TOML', { file: 'pyproject.toml', edit: () => '[' }, 'pyproject.toml cannot be read'],
  ])('[S2.2.4-1] is refused with %s', async (_title, { file, edit }, message) => {
    const shop = await makeWorkshop();
    const { [file]: text = '', ...rest } = PYTHON_PACKAGE as Record<string, string>;
    await writeTree(
      shop.sources,
      under('py-one', { ...rest, ...(edit === undefined ? {} : { [file]: edit(text) }) }),
    );

    await expect(shop.build()).rejects.toThrow(message);
  });
});
