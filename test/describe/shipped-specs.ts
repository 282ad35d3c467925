import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';

import type { Builtins } from '../../src/compose/create-builtins.ts';
import type { ToolSpec } from '../../src/core/tool.ts';
import { NODE_OPTIONS } from '../../src/packages/build/build-node.ts';
import { checkManifest, parseCommandList } from '../../src/packages/parse-contract.ts';
import { buildCommandSpec } from '../../src/packages/run/discover-command.ts';
import { loadSkills } from '../../src/skills/load-skills.ts';
import { root } from '../support/sources.ts';

const sources = join(root, 'tool-packages');

type Launch = (...argv: string[]) => string | undefined;

function launcher(program: string, argv: readonly string[], env: Record<string, string> = {}): Launch {
  return (...more) => {
    const { PATH = '' } = process.env;
    const ended = spawnSync(program, [...argv, ...more], { encoding: 'utf8', env: { PATH, ...env } });
    return ended.status === 0 ? ended.stdout : undefined;
  };
}

async function nodeLauncher(name: string): Promise<Launch> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'shipped-')), 'main.mjs');
  await build({ ...NODE_OPTIONS, entryPoints: [join(sources, name, 'src/main.ts')], outfile });
  return launcher(process.execPath, [outfile]);
}

const launchPython = launcher('python3', ['-c', 'import text_stats; text_stats.main()'], {
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONPATH: `${join(sources, 'text-stats/src')}:${join(sources, 'sdk/python')}`,
});

/** Whether text-stats can say what it is: it is a Python package, and needs pydantic. */
export const hasPython = launchPython() !== undefined;

/** The commands of a package, from what it prints about itself. */
function commandSpecs(name: string, launch: Launch): ToolSpec[] {
  const manifest = checkManifest({ name, version: '1.0.0', stdin: true, files: false, hosts: [] });
  const list = parseCommandList(launch() ?? '');
  if (!manifest.ok || !list.ok) throw new Error(`${name}: ${JSON.stringify([manifest, list])}`);
  return list.value.map((command) => {
    const about = { name: command.name, manifest: manifest.value, digest: 'sha256:00' };
    const spec = buildCommandSpec(launch(command.name) ?? '', about);
    if (!spec.ok) throw new Error(`${command.name}: ${JSON.stringify(spec.faults)}`);
    return spec.value;
  });
}

/** Every tool that is shipped: the built-ins, the skills of the repository, the commands of the packages. */
export async function readShippedSpecs({ tools, typesetter }: Builtins): Promise<ToolSpec[]> {
  const skills = loadSkills({ shippedRoot: join(root, 'skills'), directories: [], typesetter });
  return [
    ...[...tools, ...skills.tools].map(({ spec }) => spec),
    ...commandSpecs('csv-column-summary', await nodeLauncher('csv-column-summary')),
    ...commandSpecs('data-fetch', await nodeLauncher('data-fetch')),
    ...(hasPython ? commandSpecs('text-stats', launchPython) : []),
  ];
}
