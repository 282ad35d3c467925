import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { isThirdParty } from '../../src/core/tool.ts';
import { LOCK_FILE } from '../../src/skills/lock-file.ts';
import { boot, makeRepository } from './boots.ts';
import { load, makeDirectory, noteSkill, pin, skillMd, writeSkill } from './skill-dirs.ts';

describe('a pinned repository', () => {
  it('[S1-8 S1-9 S1-35] gives executable skills as tools of kind skill and methodology skills as texts', () => {
    const { tools, methodology, refusals, statuses, pinnedRefs } = boot(makeRepository());
    expect(tools.map(({ spec }) => spec)).toEqual([
      expect.objectContaining({
        name: 'make_note',
        version: '1',
        kind: 'skill',
        origin: 'repository',
        lane: 'inline',
        description: 'Does a thing. Use it when the thing is wanted.',
        summary: 'Does a thing.',
        produces: ['text/markdown'],
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      }),
    ]);
    expect(methodology).toEqual([
      expect.objectContaining({ name: 'do-it-well', body: '\n# How\n\nDo it.\n', origin: 'repository' }),
    ]);
    expect([...(methodology[0]?.files.keys() ?? [])]).toEqual([
      'assets/dot.bin',
      'references/more.md',
      'scripts/run.sh',
    ]);
    expect(refusals).toEqual([]);
    expect(statuses).toEqual([{ origin: 'repository', status: '2 skills loaded and digest-checked' }]);
    expect(pinnedRefs).toEqual(['make_note@1']);
  });

  it('keeps the names of methodology skills that were refused, so that a profile may still name them', () => {
    expect(boot(makeRepository()).refusedMethodology).toEqual([]);
    const broken = makeRepository({ bad: { 'SKILL.md': skillMd('bad', ' ') } });
    expect(boot(broken).refusedMethodology).toEqual([
      { name: 'bad', reason: expect.stringContaining('description is empty') as string },
    ]);
    const changed = makeRepository();
    rmSync(join(changed, 'do-it-well/SKILL.md'));
    expect(boot(changed).refusedMethodology).toEqual([
      { name: 'do-it-well', reason: expect.stringContaining('SKILL.md is missing') as string },
    ]);
    const unlocked = makeRepository();
    rmSync(join(unlocked, LOCK_FILE));
    expect(boot(unlocked).refusedMethodology.map(({ name }) => name)).toEqual(['do-it-well']);
  });

  it('[S1-T10] makes third-party tools out of the directory of an operator', () => {
    const ours = makeDirectory();
    writeSkill(ours, 'our-note', noteSkill('our-note', { tool_id: 'our_note' }));
    pin(ours);
    const { tools } = boot(makeRepository(), [{ label: 'ours', root: ours }]);
    const origins = tools.map(({ spec }) => spec.origin);
    expect(origins).toEqual(['repository', 'directory:ours']);
    expect(origins.map(isThirdParty)).toEqual([false, true]);
  });
});

describe('loadRepository', () => {
  it('reads a repository of no skills', () => {
    const root = makeDirectory();
    pin(root);
    expect(load(root)).toMatchObject({ integrityFaults: [], formatFaults: [], tools: [], methodology: [] });
  });
});
