import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { goLive, startRun, type LiveAnswer, type LiveServer } from '../../support/live-server.ts';
import { makeServer, testKeys } from '../../support/server.ts';
import { makeTool } from '../../support/tools.ts';

/** The errors after which a client is asked to try again. */
const PASSING = new Set(['OVERLOADED', 'RATE_LIMITED']);

async function untilAnswered(call: () => Promise<LiveAnswer>): Promise<LiveAnswer> {
  for (;;) {
    const answer = await call();
    if (!PASSING.has(String(answer.json['error']))) return answer;
    await sleep(1 + Math.random() * 10);
  }
}

const wide = { laneLimits: { maxRunning: 64, maxWaiting: 64 } };

describe('200 clients at once', () => {
  it('[S1-B4] with a budget of 1,000 calls run exactly 1,000', { timeout: 120_000 }, async () => {
    let ran = 0;
    const tick = makeTool(
      { name: 'tick', inputSchema: { type: 'object' } },
      {
        execute: async () => {
          ran += 1;
          await sleep(Math.random() * 3);
          return { status: 'ok', output: {} };
        },
      },
    );
    const live = await goLive(makeServer({ tools: [tick], broker: wide }).app);
    const run = await startRun(live, testKeys.runner, { limits: { calls: 1_000 } });
    const client = async (): Promise<number> => {
      for (let succeeded = 0; ; succeeded += 1) {
        const answer = await untilAnswered(async () =>
          live.ask('POST /v1/tools/tick/invoke', { key: run.token, body: {} }),
        );
        if (answer.json['error'] === 'QUOTA_EXCEEDED') return succeeded;
        if (answer.json['ok'] !== true) throw new Error(answer.text);
      }
    };
    const counts = await Promise.all(Array.from({ length: 200 }, client));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_000);
    expect(ran).toBe(1_000);
    const shown = await live.ask(`GET /v1/runs/${run.id}`, { key: run.token });
    expect(shown.json['used']).toMatchObject({
      calls: 1_000,
      calls_per_tool: { tick: 1_000 },
      concurrent_calls: 0,
    });
    expect(shown.json['left']).toMatchObject({ calls: 0 });
    await live.close();
  });
});

interface Job {
  readonly id: string;
  readonly token: string;
  readonly mark: string;
  calls: number;
  readonly files: string[];
  /** First answers, and those of the same call sent again. */
  readonly replays: [LiveAnswer, LiveAnswer][];
}

const CALLS = 10_000;
const RUNS = 50;

/** Gives back what it was told, as data or as a file, now or a little later. */
const mirror = makeTool(
  {
    name: 'mirror',
    inputSchema: { type: 'object', properties: { mark: { type: 'string' } }, required: ['mark'] },
    produces: ['text/plain'],
  },
  {
    execute: async ({ mark, late, file }) => {
      if (late === true) await sleep(Math.random() * 4);
      const bytes = Buffer.from(mark as string);
      return {
        status: 'ok',
        output: { mark: mark as string },
        ...(file === true && { file: { name: 'mark.txt', mediaType: 'text/plain', bytes } }),
      };
    },
  },
);

async function callAs(live: LiveServer, job: Job, number: number): Promise<void> {
  const mark = `${job.mark}-${number}`;
  const file = number % 20 === 0;
  // Every run uses the same keys.
  const keyed = number % 4 === 0;
  const call = async (): Promise<LiveAnswer> =>
    untilAnswered(async () =>
      live.ask('POST /v1/tools/mirror/invoke?artifact=link', {
        key: job.token,
        body: { arguments: { mark, late: number % 3 === 0, file } },
        ...(keyed && { headers: { 'idempotency-key': `k-${number}` } }),
      }),
    );
  const answer = await call();
  expect(answer.json).toMatchObject({ ok: true, output: { mark } });
  if (keyed && number % 3 === 0) job.replays.push([answer, await call()]);
  job.calls += 1;
  if (file) job.files.push((answer.json['download'] as { url: string }).url, mark);
}

describe('10,000 calls of 50 runs, interleaved', () => {
  it('leave no answer, no artifact and no count in the wrong run', { timeout: 240_000 }, async () => {
    const { app, audited } = makeServer({
      tools: [mirror],
      broker: wide,
      runLimits: { maxRuns: RUNS, maxRunsPerOwner: RUNS },
    });
    const live = await goLive(app);
    const owners = [testKeys.runner, testKeys.operator];
    const jobs: Job[] = [];
    for (let index = 0; index < RUNS; index += 1) {
      const run = await startRun(live, owners[index % 2] ?? '');
      jobs.push({ ...run, mark: `run${index}`, calls: 0, files: [], replays: [] });
    }
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < CALLS) {
        const turn = next;
        next += 1;
        const job = jobs[turn % RUNS];
        if (job !== undefined) await callAs(live, job, Math.floor(turn / RUNS));
      }
    };
    await Promise.all(Array.from({ length: 40 }, client));

    for (const [first, again] of jobs.flatMap(({ replays }) => replays)) {
      expect([again.headers.get('idempotency-replayed'), again.text]).toEqual(['true', first.text]);
    }
    for (const [index, job] of jobs.entries()) {
      const shown = await live.ask(`GET /v1/runs/${job.id}`, { key: job.token });
      expect(shown.json['used']).toMatchObject({
        calls: CALLS / RUNS,
        calls_per_tool: { mirror: CALLS / RUNS },
        concurrent_calls: 0,
      });
      expect(job.calls).toBe(CALLS / RUNS);
      const stranger = jobs[(index + 1) % RUNS];
      for (let at = 0; at < job.files.length; at += 2) {
        const path = `GET ${job.files[at]}`;
        expect((await live.ask(path, { key: job.token })).text).toBe(job.files[at + 1]);
        expect((await live.ask(path, { key: stranger?.token ?? '' })).status).toBe(404);
      }
    }
    const started = audited.filter(({ outcome, replayed }) => outcome === 'OK' && replayed === undefined);
    expect(started).toHaveLength(CALLS);
    expect(new Set(started.map(({ run }) => run)).size).toBe(RUNS);
    await live.close();
  });
});
