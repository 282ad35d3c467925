import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { NewRun, RunBudgets, RunStore } from '../../src/broker/run-store.ts';
import type { RunLimits } from '../../src/core/run.ts';

export interface RunsUnderTest {
  readonly runs: RunStore & RunBudgets;
  /** A second door to the same state, as another broker would have; the same object where there is none. */
  readonly other: RunStore & RunBudgets;
  /** Lets time pass on the store's clock. */
  readonly pass: (ms: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type MakeRuns = (limits: {
  maxRuns: number;
  maxRunsPerOwner: number;
  leaseMs: number;
}) => Promise<RunsUnderTest>;

const wide: RunLimits = {
  calls: 1_000,
  callsPerTool: {},
  resultBytes: 1_000_000,
  artifactBytes: 1_000_000,
  runTimeMs: 1_000_000,
  concurrentCalls: 1_000,
};

let count = 0;
function makeRun(limits: Partial<RunLimits> = {}, run: Partial<NewRun> = {}): NewRun {
  count += 1;
  return {
    id: `run-${process.pid}-${count}`,
    owner: 'ann',
    tokenSha256: 'ab'.repeat(32),
    tools: ['echo@1', 'make_plan@1'],
    skills: [],
    limits: { ...wide, ...limits },
    labels: { job: 'a "b" {c}\n' },
    ...run,
  };
}

const nothing = { runTimeMs: 0, resultBytes: 0, artifactBytes: 0 };

/** What runs and their budgets keep to, wherever they live. */
export function runStoreContract(name: string, make: MakeRuns): void {
  describe(`runs: ${name}`, () => {
    let made: RunsUnderTest;
    beforeAll(async () => {
      made = await make({ maxRuns: 100_000, maxRunsPerOwner: 100_000, leaseMs: 400 });
    });
    afterAll(async () => made.close());

    it('gives back a run as it was started, through any door', async () => {
      const run = makeRun();
      const started = await made.runs.start(run, 60_000);
      expect(started).toMatchObject(run);
      expect(started.expiresAt.getTime() - started.startedAt.getTime()).toBe(60_000);
      expect(await made.other.find(run.id)).toEqual(started);
    });

    it('knows nothing of a run that is unknown, ended or expired', async () => {
      const [ended, expired] = [makeRun(), makeRun()];
      await made.runs.start(ended, 60_000);
      await made.runs.start(expired, 50);
      expect(await made.runs.end(ended.id)).toBe(true);
      expect(await made.other.end(ended.id)).toBe(false);
      await made.pass(100);
      for (const id of [ended.id, expired.id, 'never', '', '__proto__', '*']) {
        expect(await made.other.find(id)).toBeUndefined();
        expect(await made.other.usage(id)).toBeUndefined();
        expect(await made.other.reserve(id, { leaseId: 'l', tool: 'echo' })).toEqual({
          ok: false,
          budget: 'run_over',
        });
        expect(await made.other.renew(id, 'l')).toBe(false);
        expect(await made.other.settle(id, 'l', nothing)).toMatchObject({ ok: false, budget: 'run_over' });
        expect(await made.other.end(id)).toBe(false);
      }
    });

    it('lets exactly as many calls run as the budget has, whatever is asked at once', async () => {
      const run = makeRun({ calls: 100 });
      await made.runs.start(run, 60_000);
      const doors = [made.runs, made.other];
      const answers = await Promise.all(
        Array.from({ length: 250 }, async (_unused, index) =>
          doors[index % 2]!.reserve(run.id, { leaseId: `l${index}`, tool: 'echo' }),
        ),
      );
      expect(answers.filter((answer) => answer.ok)).toHaveLength(100);
      expect(answers.find((answer) => !answer.ok)).toEqual({
        ok: false,
        budget: 'calls',
        limit: 100,
        used: 100,
      });
      expect(await made.runs.usage(run.id)).toMatchObject({ calls: 100, callsPerTool: { echo: 100 } });
    });

    it('counts each tool for itself, and a name like __proto__ as a name', async () => {
      const run = makeRun({ callsPerTool: { echo: 1 } });
      await made.runs.start(run, 60_000);
      const ask = async (tool: string, leaseId: string): Promise<unknown> =>
        made.runs.reserve(run.id, { leaseId, tool });
      expect(await ask('echo', 'a')).toMatchObject({ ok: true });
      expect(await ask('echo', 'b')).toEqual({ ok: false, budget: 'calls_per_tool', limit: 1, used: 1 });
      expect(await ask('constructor', 'c')).toMatchObject({ ok: true });
      expect((await made.runs.usage(run.id))?.calls).toBe(2);
    });

    it('gives the place of a call back when it settles', async () => {
      const run = makeRun({ concurrentCalls: 1 });
      await made.runs.start(run, 60_000);
      expect(await made.runs.reserve(run.id, { leaseId: 'a', tool: 'echo' })).toMatchObject({ ok: true });
      expect(await made.other.reserve(run.id, { leaseId: 'b', tool: 'echo' })).toMatchObject({
        budget: 'concurrent_calls',
      });
      await made.runs.settle(run.id, 'a', nothing);
      expect(await made.other.reserve(run.id, { leaseId: 'b', tool: 'echo' })).toMatchObject({ ok: true });
    });

    it('gives the place of a call back when its broker no longer renews it, and not before', async () => {
      const run = makeRun({ concurrentCalls: 1 });
      await made.runs.start(run, 60_000);
      await made.runs.reserve(run.id, { leaseId: 'a', tool: 'echo' });
      await made.pass(250);
      expect(await made.runs.renew(run.id, 'a')).toBe(true);
      await made.pass(250);
      expect(await made.other.reserve(run.id, { leaseId: 'b', tool: 'echo' })).toMatchObject({
        budget: 'concurrent_calls',
      });
      await made.pass(500);
      expect(await made.other.reserve(run.id, { leaseId: 'b', tool: 'echo' })).toMatchObject({ ok: true });
    });

    it.each([
      ['result_bytes', { resultBytes: 10 }, 'resultBytes'],
      ['artifact_bytes', { artifactBytes: 10 }, 'artifactBytes'],
    ] as const)(
      'never counts over %s: what does not fit is refused and not counted',
      async (budget, limits, field) => {
        const run = makeRun(limits);
        await made.runs.start(run, 60_000);
        await made.runs.reserve(run.id, { leaseId: 'a', tool: 'echo' });
        expect(await made.runs.settle(run.id, 'a', { ...nothing, [field]: 10 })).toMatchObject({
          ok: true,
          usage: { [field]: 10 },
        });
        expect(await made.runs.settle(run.id, 'b', { ...nothing, [field]: 1 })).toEqual({
          ok: false,
          budget,
          limit: 10,
          used: 10,
        });
        expect(await made.runs.usage(run.id)).toMatchObject({ [field]: 10 });
        expect(await made.runs.reserve(run.id, { leaseId: 'c', tool: 'echo' })).toMatchObject({
          ok: false,
          budget,
        });
      },
    );

    it('counts the time that a call ran, also when its bytes are refused', async () => {
      const run = makeRun({ runTimeMs: 100, resultBytes: 5 });
      await made.runs.start(run, 60_000);
      await made.runs.reserve(run.id, { leaseId: 'a', tool: 'echo' });
      expect(
        await made.runs.settle(run.id, 'a', { runTimeMs: 100, resultBytes: 6, artifactBytes: 0 }),
      ).toMatchObject({ ok: false });
      expect(await made.runs.usage(run.id)).toMatchObject({ runTimeMs: 100, resultBytes: 0 });
      expect(await made.runs.reserve(run.id, { leaseId: 'b', tool: 'echo' })).toEqual({
        ok: false,
        budget: 'run_time_ms',
        limit: 100,
        used: 100,
      });
    });

    it('tells a running call that its run was ended elsewhere', async () => {
      const run = makeRun();
      await made.runs.start(run, 60_000);
      await made.runs.reserve(run.id, { leaseId: 'a', tool: 'echo' });
      expect(await made.runs.renew(run.id, 'a')).toBe(true);
      await made.other.end(run.id);
      expect(await made.runs.renew(run.id, 'a')).toBe(false);
    });
  });

  describe(`room for runs: ${name}`, () => {
    it('refuses the run after the last one with OVERLOADED, in all and for one owner, and has room again later', async () => {
      const { runs, pass, close } = await make({ maxRuns: 3, maxRunsPerOwner: 2, leaseMs: 400 });
      await runs.start(makeRun(), 100);
      await runs.start(makeRun(), 60_000);
      await expect(runs.start(makeRun(), 60_000)).rejects.toMatchObject({ code: 'OVERLOADED' });
      await runs.start(makeRun({}, { owner: 'bob' }), 60_000);
      await expect(runs.start(makeRun({}, { owner: 'cid' }), 60_000)).rejects.toMatchObject({
        code: 'OVERLOADED',
      });
      await pass(200);
      await runs.start(makeRun(), 60_000);
      await close();
    });
  });
}
