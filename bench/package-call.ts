import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

import { systemBinds } from '../src/packages/run/bubblewrap-arguments.ts';
import { detectIsolation } from '../src/packages/run/detect-isolation.ts';
import type { Isolation } from '../src/packages/run/isolation.ts';
import { createUidPool } from '../src/packages/run/package-uids.ts';
import { DEFAULT_RUN_LIMITS, type StartSpec } from '../src/packages/run/run-spec.ts';
import { createRunner, type Runner } from '../src/packages/run/runner.ts';
import { OPTIONS_FD, sandboxCommand, type SandboxCommand } from '../src/packages/run/sandbox-command.ts';
import { createWarmPool } from '../src/packages/run/warm-pool.ts';
import { openWorkArea } from '../src/packages/run/work-area.ts';
import { openWorkRoot } from '../src/packages/run/work-root.ts';
import { median } from './support/load.ts';
import { printRow, type Row } from './support/row.ts';

const ROUNDS = 60;
const WARM_UP = 5;
const AIM = 1.15;
const WARM_AIM = 0.5;

/** As small as a Node tool gets: reads its arguments from argv or stdin, answers with JSON. */
const LAUNCHER = `#!/usr/bin/env node
import { readFileSync } from 'node:fs';
const given = process.argv[3];
const args = JSON.parse(given === '-' ? readFileSync(0, 'utf8') : given);
console.log(JSON.stringify({ rows: args.rows }));
`;

/** A package call against a bare spawn of the same launcher in the same sandbox, in turn; and a warm call. */
export async function benchPackageCall(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const strongest of ['namespaces', 'limits'] as const) {
    const isolation = await detectIsolation({ strongest });
    if (isolation.level === strongest) rows.push(...(await benchLevel(isolation)));
  }
  return rows;
}

async function benchLevel(isolation: Isolation): Promise<Row[]> {
  const top = await mkdtemp(join(tmpdir(), 'bench-package-'));
  const launcher = join(top, 'launch');
  await writeFile(launcher, LAUNCHER, { mode: 0o755 });
  await writeFile(join(top, 'package.json'), '{"type": "module"}');
  await chmod(top, 0o755);
  const spec: StartSpec = { launcher, packageDir: top, argv: ['count', '{"rows":3}'] };
  const runner = await createRunner({ isolation, workRoot: join(top, 'ours'), log: console.error });
  const bare = await prepareBare(isolation, spec, join(top, 'bare'));
  const times = { ours: [] as number[], bare: [] as number[], warm: [] as number[] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const bareMs = await measure(async () => runBare(bare));
    const oursMs = await measure(async () => runner.run(spec));
    if (round < WARM_UP) continue;
    times.bare.push(bareMs);
    times.ours.push(oursMs);
  }
  // Afterwards: the process that waits for the next call would start while the others are measured.
  const callWarm = createWarmCaller(runner, { ...spec, argv: ['count', '-'] });
  for (let round = 0; round < ROUNDS; round += 1) times.warm.push(await callWarm());
  await runner.close();
  await rm(top, { recursive: true, force: true });
  const { level } = isolation;
  return [
    row(`package call, cold, ${level} (ms)`, { ours: times.ours, bare: times.bare, aim: AIM }),
    row(`package call, started before it, ${level} (ms)`, {
      ours: times.warm,
      bare: times.bare,
      aim: WARM_AIM,
    }),
  ];
}

/** The ratio is the median over the rounds, so that what else the machine does counts on both sides. */
function row(what: string, figures: { ours: number[]; bare: number[]; aim: number }): Row {
  const ratio = median(figures.ours.map((value, index) => value / (figures.bare[index] ?? Number.NaN)));
  return {
    what: `${what}, against a bare spawn of the same launcher in the same sandbox`,
    ours: median(figures.ours).toFixed(1),
    bare: median(figures.bare).toFixed(1),
    ratio,
    aim: `at most ${figures.aim}`,
    met: ratio <= figures.aim,
  };
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** One sandbox for all bare runs: what the runner adds by making a new one each time is ours to pay. */
async function prepareBare(isolation: Isolation, spec: StartSpec, workRoot: string): Promise<SandboxCommand> {
  const root = await openWorkRoot(workRoot, isolation.ownUid);
  const uid = isolation.ownUid ? (await createUidPool()).take() : undefined;
  const area = openWorkArea(root, 1, uid);
  const binds = systemBinds(isolation);
  return sandboxCommand(
    { isolation, binds, covered: [], area, limits: DEFAULT_RUN_LIMITS, maxProcesses: 256 },
    spec,
  );
}

function runBare({ file, args, cwd, env, options }: SandboxCommand): Promise<void> {
  return new Promise((resolve) => {
    const stdio = [
      'ignore',
      'pipe',
      'pipe',
      ...(options === undefined ? [] : (['pipe', 'pipe'] as const)),
    ] as const;
    const child = spawn(file, args, { cwd, env, detached: true, stdio: [...stdio] });
    for (const stream of child.stdio.slice(1, OPTIONS_FD)) (stream as Readable | null)?.resume();
    if (options !== undefined) (child.stdio[OPTIONS_FD] as Writable).end(`${options.join('\0')}\0`);
    child.once('close', () => resolve());
  });
}

/** The time from the arguments to the answer; the next process starts between two calls, not during one. */
function createWarmCaller(runner: Runner, spec: StartSpec): () => Promise<number> {
  const pool = createWarmPool({ runner, maxWaiting: 1, maxWaitMs: 60_000 });
  return async () => {
    await pool.prepare('count', spec);
    // As long as a process needs to be ready: a call that comes sooner pays for what is left of its start.
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
    return measure(async () => pool.run('count', spec, { stdin: '{"rows":3}' }));
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const result of await benchPackageCall()) printRow(result);
}
