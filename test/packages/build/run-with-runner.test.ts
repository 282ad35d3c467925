import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runWithRunner } from '../../../src/packages/build/run-with-runner.ts';
import { detectIsolation } from '../../../src/packages/run/detect-isolation.ts';
import { createRunner, type Runner } from '../../../src/packages/run/runner.ts';
import { makeDirectory, makeWorkshop, programPackage, under, writeTree } from './support.ts';

let runner: Runner;
beforeAll(async () => {
  const isolation = await detectIsolation();
  runner = await createRunner({
    isolation,
    workRoot: `/tmp/run-with-runner-${process.pid}`,
    log: () => undefined,
  });
});
afterAll(async () => runner.close());

async function run(text: string, timeoutMs = 20_000) {
  const directory = await makeDirectory();
  await chmod(directory, 0o755);
  const launcher = join(directory, 'launch');
  await writeFile(launcher, text, { mode: 0o755 });
  return runWithRunner(runner)({ directory, launcher, argv: ['a b', '$(id)'], timeoutMs });
}

describe('a launcher that is asked at build time', () => {
  it('answers with its code and both texts, its arguments as they were, in the environment of a call', async () => {
    process.env['SECRET_OF_THE_BUILDER'] = 'x';
    const ended = await run('#!/bin/sh\necho "$1|$2|$SECRET_OF_THE_BUILDER"; echo err >&2; exit 4\n');
    delete process.env['SECRET_OF_THE_BUILDER'];

    expect(ended).toEqual({ exitCode: 4, stdout: 'a b|$(id)|\n', stderr: 'err\n' });
  });

  it('is told apart when it sleeps, floods, is ended by a signal, or cannot be started', async () => {
    expect((await run('#!/bin/sh\nsleep 600\n', 300)).trouble).toContain('did not finish');
    expect((await run('#!/bin/sh\nhead -c 3000000 /dev/zero\n')).trouble).toBe(
      'printed 3000000 bytes, too many',
    );
    expect((await run('#!/bin/sh\nkill -SEGV $$\n')).trouble).toBe('was ended by SIGSEGV');
    expect((await run('no shebang\n')).trouble).toContain('did not start');
  }, 60_000);

  it('cannot change the package that is being built', async () => {
    const shop = await makeWorkshop();
    const program = '#!/bin/sh\necho x > "${0%/*}/planted" 2>/dev/null\necho "[]"\n';
    await writeTree(shop.sources, under('planter', programPackage(program)));

    const outcome = await shop.build({ run: runWithRunner(runner) }).then(
      () => 'built without it',
      (error: Error) => error.message,
    );

    expect(outcome).toMatch(/built without it|changes files of its own package/u);
  });
});
