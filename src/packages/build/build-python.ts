import { access, constants, readdir, readFile, rm, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { parse as parseToml } from 'smol-toml';

import { isJsonObject } from '../../core/json.ts';
import { MissingBuildTool, type Builder } from './builder.ts';
import type { SourcePackage } from './read-source.ts';
import { runProgram } from './run-program.ts';
import { pythonLauncher, writeLauncher } from './write-launcher.ts';

/** A call sees the system's directories and the package, so the interpreter must come from one of these. */
const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

const UV_SETTINGS = {
  UV_PYTHON_PREFERENCE: 'only-system',
  UV_PYTHON_DOWNLOADS: 'never',
  // Besides PATH: a version manager's shim puts its own interpreters in front of that.
  UV_PYTHON_SEARCH_PATH: SYSTEM_PATH,
  UV_LINK_MODE: 'copy',
  UV_NO_PROGRESS: '1',
} as const;

/**
 * A Python package with `uv.lock`: an environment that can be moved, frozen, without development dependencies. Without
 * uv, or without the lock, it is left out: what is not pinned is not built.
 */
export const buildPython: Builder = async (source, output, tools) => {
  const uv = await findUv(tools.environment['PATH']);
  await access(join(source.directory, 'uv.lock')).catch(() => {
    throw new MissingBuildTool(
      `needs uv.lock, which pins its dependencies; run \`uv lock\` in ${source.directory}`,
    );
  });
  const script = onlyScript(source);
  const venv = join(output, 'venv');
  const run = async (...argv: string[]): Promise<void> =>
    runProgram(uv, argv, {
      cwd: source.directory,
      environment: { ...tools.environment, ...UV_SETTINGS, PATH: SYSTEM_PATH, UV_PROJECT_ENVIRONMENT: venv },
    });
  await run('venv', '--relocatable', '--no-project', venv);
  const fresh = ['--reinstall-package', source.manifest.name, '--refresh-package', source.manifest.name];
  await run('sync', '--frozen', '--no-editable', '--no-dev', ...fresh);
  const site = await findSite(venv);
  await removeTraces(site);
  await compileAll(venv, site);
  await writeLauncher(output, pythonLauncher(script));
  return lockedDirectories(source.directory);
};

async function findUv(searchPath = ''): Promise<string> {
  for (const directory of searchPath.split(delimiter).filter((part) => part !== '')) {
    const path = join(directory, 'uv');
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  throw new MissingBuildTool('needs `uv` on PATH to build a Python package (see https://docs.astral.sh/uv/)');
}

function onlyScript(source: SourcePackage): string {
  const project = source.project['project'];
  const scripts =
    isJsonObject(project) && isJsonObject(project['scripts']) ? Object.keys(project['scripts']) : [];
  const [script] = scripts;
  if (script === undefined || scripts.length > 1 || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(script)) {
    throw new Error(
      `pyproject.toml needs exactly one entry in [project.scripts]; received ${scripts.length}`,
    );
  }
  return script;
}

/** Notes of the installer that hold times and paths of this machine, and no package reads. */
async function removeTraces(site: string): Promise<void> {
  for (const name of await readdir(site)) {
    if (!name.endsWith('.dist-info')) continue;
    for (const note of ['uv_cache.json', 'direct_url.json'])
      await rm(join(site, name, note), { force: true });
  }
}

/** Byte code is made here, since a call cannot write it, and in a form that holds no times and no path of this build. */
async function compileAll(venv: string, site: string): Promise<void> {
  const argv = ['-m', 'compileall', '-q', '-s', site, '--invalidation-mode', 'unchecked-hash', site];
  // A file that does not compile (a template, an old example) is read as source, if ever.
  await runProgram(join(venv, 'bin', 'python'), argv, { cwd: venv, environment: {} }).catch(() => undefined);
}

async function findSite(venv: string): Promise<string> {
  const python = (await readdir(join(venv, 'lib'))).find((name) => name.startsWith('python'));
  return join(venv, 'lib', python ?? '', 'site-packages');
}

/** The directories that the lock takes packages from: an edit there must rebuild. */
async function lockedDirectories(directory: string): Promise<string[]> {
  const lock = parseToml(await readFile(join(directory, 'uv.lock'), 'utf8'));
  const packages = Array.isArray(lock['package']) ? lock['package'] : [];
  const found: string[] = [];
  for (const entry of packages) {
    const source = isJsonObject(entry) && isJsonObject(entry['source']) ? entry['source'] : {};
    const path = source['directory'] ?? source['editable'];
    if (typeof path === 'string' && path !== '.' && (await isDirectory(join(directory, path))))
      found.push(path);
  }
  return found.toSorted();
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}
