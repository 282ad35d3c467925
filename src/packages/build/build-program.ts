import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { Builder } from './builder.ts';
import { isSourcePath } from './hash-sources.ts';
import { runProgram } from './run-program.ts';

/**
 * Any other package: its executable `build` is called as `./build <output directory>` in a copy of the source, with a
 * home of its own and none of the builder's variables but PATH.
 */
export const buildProgram: Builder = async (source, output, tools) => {
  const work = await mkdtemp(join(tmpdir(), 'tool-package-'));
  try {
    const [copy, home, temporary] = [join(work, 'source'), join(work, 'home'), join(work, 'tmp')];
    const filter = (path: string): boolean => path === source.directory || isSourcePath(basename(path));
    await cp(source.directory, copy, { recursive: true, dereference: true, filter });
    await mkdir(home);
    await mkdir(temporary);
    const environment = { PATH: tools.environment['PATH'], HOME: home, TMPDIR: temporary, LANG: 'C.UTF-8' };
    await runProgram(join(copy, 'build'), [output], { cwd: copy, environment });
    return [];
  } finally {
    await removeTree(work);
  }
};

/** Go marks its module cache read-only, which stops a plain removal. */
async function removeTree(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(async () => {
    await runProgram('/bin/chmod', ['-R', 'u+w', path], { cwd: '/', environment: {} });
    await rm(path, { recursive: true, force: true });
  });
}
