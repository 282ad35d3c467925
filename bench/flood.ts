import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { detectIsolation } from '../src/packages/run/detect-isolation.ts';
import { createRunner } from '../src/packages/run/runner.ts';
import type { Row } from './support/row.ts';

const AIM = 1.5;
const SAMPLE_MS = 20;

/** 200 MB of zeros on each stream at once. */
const LAUNCHER = `#!/bin/sh
head -c 200000000 /dev/zero &
head -c 200000000 /dev/zero >&2
wait
`;

/** Resident memory of this process while a package floods both streams, against before: it must stay flat. */
export async function benchFlood(): Promise<Row> {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'bench-flood-')));
  const launcher = join(top, 'launch');
  await writeFile(launcher, LAUNCHER, { mode: 0o755 });
  await chmod(top, 0o755);
  const isolation = await detectIsolation();
  const runner = await createRunner({ isolation, workRoot: join(top, 'work'), log: console.error });
  await runner.run({ launcher, packageDir: top, argv: [] });
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const { result } = await runner.run({ launcher, packageDir: top, argv: [] });
  clearInterval(timer);
  await runner.close();
  await rm(top, { recursive: true, force: true });
  if (result.outcome !== 'exited') throw new Error(`the flood ended as ${result.outcome}`);
  const ratio = most / before;
  return {
    what: 'resident memory of the service while a package writes 400 MB, against before (MB)',
    ours: (most / 1e6).toFixed(0),
    bare: (before / 1e6).toFixed(0),
    ratio,
    aim: `at most ${AIM}`,
    met: ratio <= AIM,
  };
}
