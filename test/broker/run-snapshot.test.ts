import { describe, expect, it } from 'vitest';

import { createRunService } from '../../src/broker/run-service.ts';
import { approvePolicy } from '../../src/catalog/approve.ts';
import { createCallers } from '../../src/catalog/identify.ts';
import { parsePolicy } from '../../src/catalog/policy-parse.ts';
import type { Tool } from '../../src/core/tool.ts';
import { createMemoryArtifacts } from '../../src/state/memory/artifacts.ts';
import { createMemoryRuns } from '../../src/state/memory/runs.ts';
import { makeBroker, makeRequest } from '../support/calls.ts';
import { testCeilings } from '../support/server.ts';
import { makeCatalog, makeTool } from '../support/tools.ts';

const runs = createMemoryRuns({
  maxRuns: 100,
  maxRunsPerOwner: 100,
  leaseMs: 5_000,
  now: () => performance.now(),
});

/** One start of the service with its own tools and policy; all starts share the runs. */
function boot(tools: readonly Tool[], policyText: string, now = Date.now) {
  const catalog = makeCatalog(tools);
  const policy = parsePolicy(policyText, 'p');
  const known = tools.map(({ spec: { name, version, origin } }) => ({
    ref: `${name}@${version}`,
    name,
    origin,
    digest: '',
  }));
  const approval = approvePolicy(policy, { tools: known, refused: [] });
  expect(approval.faults).toEqual([]);
  const approved = makeCatalog(tools, [...approval.approved]);
  const callers = createCallers({ policy, approval, now });
  const artifacts = createMemoryArtifacts({ maxBytes: 100_000 });
  return {
    catalog,
    callers,
    service: createRunService({ runs, artifacts, catalog: approved, callers, ceilings: testCeilings }),
    listed: approved,
  };
}

const [echo, more] = [makeTool(), makeTool({ name: 'more' })];
const caller = (text: string): string =>
  `${text}\ncallers: [{name: ann, key_sha256: ${'ab'.repeat(32)}, roles: [runner]}]\n`;

async function start(booted: ReturnType<typeof boot>, body = {}): Promise<string> {
  return (await booted.service.start(booted.callers.named('ann')!, body)).token;
}
async function listFor({ service, listed }: ReturnType<typeof boot>, token: string): Promise<string[]> {
  const { grant } = await service.identify(token);
  return listed.list(grant).map(({ ref }) => ref);
}

describe('the tools of a run', () => {
  it('[S1-B3, S1.3-14] are fixed when it starts: what is there or approved later does not reach it', async () => {
    const token = await start(boot([echo], caller('approve: [local]')));
    expect(await listFor(boot([echo, more], caller('approve: [local]')), token)).toEqual(['echo@1']);
  });

  it('[S1-B1] are lost when the policy no longer approves them, for no layer can widen another', async () => {
    const wide = boot([echo, more], caller('approve: [local]'));
    const token = await start(wide);
    expect(await listFor(wide, token)).toEqual(['echo@1', 'more@1']);
    expect(await listFor(boot([echo, more], caller('approve: [more@1]')), token)).toEqual(['more@1']);
    expect(await listFor(boot([echo, more], caller('approve: []')), token)).toEqual([]);
    const small = caller('approve: [local]').replace('roles', 'approve: [echo@1], roles');
    expect(await listFor(boot([echo, more], small), token)).toEqual(['echo@1']);
    const profiled = `default_profile: p\nprofiles: {p: {tools: [more]}}\n${caller('approve: [local]')}`;
    expect(await listFor(boot([echo, more], profiled), token)).toEqual(['more@1']);
  });

  it('are gone with its owner, with the profile it was started under, and with the key of its owner', async () => {
    const profiles = 'profiles: {p: {tools: [echo]}}\n';
    const first = boot([echo], profiles + caller('approve: [local]'));
    const token = await start(first, { profile: 'p' });
    expect(await listFor(first, token)).toEqual(['echo@1']);
    const wrong = {
      code: 'UNAUTHENTICATED',
      message: 'The credential that was presented is unknown or has expired.',
    };
    const without = boot([echo], caller('approve: [local]'));
    await expect(without.service.identify(token)).rejects.toMatchObject(wrong);
    const renamed = boot([echo], profiles + caller('approve: [local]').replace('ann', 'bob'));
    await expect(renamed.service.identify(token)).rejects.toMatchObject(wrong);
    let time = Date.parse('2030-01-01T00:00:00Z');
    const expiring = caller('approve: [local]').replace('roles', 'expires: "2030-01-02T00:00:00Z", roles');
    const last = boot([echo], profiles + expiring, () => time);
    expect(await listFor(last, token)).toEqual(['echo@1']);
    time = Date.parse('2030-01-02T00:00:00Z');
    await expect(last.service.identify(token)).rejects.toMatchObject(wrong);
  });
});

describe('a skill', () => {
  it('[S1-2, S1-B10] is counted by the same broker, against the same budgets, in the same record as a tool', async () => {
    const skill = makeTool({
      name: 'note',
      kind: 'skill',
      origin: 'repository',
      inputSchema: { type: 'object' },
    });
    const booted = boot([echo, skill], caller('approve: [local, note@1]'));
    const token = await start(booted, { limits: { calls: 2 } });
    const identity = await booted.service.identify(token);
    const { broker, audited } = makeBroker(booted.catalog, { budgets: runs });
    for (const ref of ['note', 'echo']) {
      await broker.invoke(makeRequest(booted.catalog, { ...identity, ref }));
    }
    for (const ref of ['note', 'echo']) {
      await expect(broker.invoke(makeRequest(booted.catalog, { ...identity, ref }))).rejects.toMatchObject({
        code: 'QUOTA_EXCEEDED',
      });
    }
    expect(audited.map(({ ref, outcome, run }) => [ref, outcome, run === identity.caller.run?.id])).toEqual([
      ['note@1', 'OK', true],
      ['echo@1', 'OK', true],
      ['note@1', 'QUOTA_EXCEEDED', true],
      ['echo@1', 'QUOTA_EXCEEDED', true],
    ]);
  });
});

describe('ten thousand runs', () => {
  it(
    'are started in no more time each than the first, and are let go when they have expired',
    { timeout: 60_000 },
    async () => {
      let time = 0;
      const many = createMemoryRuns({
        maxRuns: 10_000,
        maxRunsPerOwner: 10_000,
        leaseMs: 5_000,
        now: () => time,
      });
      const run = (id: number) => ({
        id: `r${id}`,
        owner: `o${id % 7}`,
        tokenSha256: '',
        tools: [],
        skills: [],
        limits: { ...testCeilings.limits, callsPerTool: {} },
        labels: {},
      });
      const since = performance.now();
      for (let id = 0; id < 10_000; id += 1) await many.start(run(id), 1_000);
      expect(performance.now() - since).toBeLessThan(10_000);
      await expect(many.start(run(10_000), 1_000)).rejects.toMatchObject({ code: 'OVERLOADED' });
      time = 1_000;
      for (let id = 10_001; id < 20_001; id += 1) await many.start(run(id), 1_000);
      expect(await many.find('r5')).toBeUndefined();
      expect(await many.find('r10005')).toBeDefined();
    },
  );
});
