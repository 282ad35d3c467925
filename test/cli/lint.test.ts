import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { lintDescriptions, type LintOptions } from '../../src/cli/lint.ts';
import { makePrebuilt } from '../packages/discover-support.ts';
import { makeDirectory, methodSkill, noteSkill, skillMd, writeSkill } from '../skills/skill-dirs.ts';

interface Ran {
  readonly code: number;
  readonly text: string;
}

async function lint(targets: readonly string[], more: Partial<LintOptions> = {}): Promise<Ran> {
  const lines: string[] = [];
  const environment = { BROKER_APPROVE: 'local' };
  const print = (line: string): void => void lines.push(line);
  const code = await lintDescriptions({ targets, json: false, environment, print, ...more });
  return { code, text: lines.join('\n') };
}

const USAGE = 'Makes a note of a text. Use when the user asks for a note. Do not use it for letters.';

describe('tool-broker lint', () => {
  it('scores every tool that a start would find, approved or not, when none is named', async () => {
    const { code, text } = await lint([], { min: '0.8' });
    expect([code, text.split('\n').at(-1)]).toEqual([
      0,
      expect.stringMatching(/^\d+ descriptions, 0 to mend/u),
    ]);
    expect(text).toMatch(/^calculate@1 · builtin$/mu);
    expect(text).toMatch(/^incident_report@1 · repository$/mu);
    expect(text).toContain('actionability 1.00 (formula 0.80)');
  });

  it('takes names and refs, and says what was meant by one that is unknown', async () => {
    const { text } = await lint(['calculate', 'action_list@1']);
    expect(text.match(/^\S+@\S+ · /gmu)).toEqual(['calculate@1 · ', 'action_list@1 · ']);
    expect(await lint(['calculat'])).toEqual({
      code: 2,
      text: '"calculat" is no tool of this installation and no directory. Did you mean calculate?',
    });
  });

  it('looks at skills of a directory, pinned or not, and needs no valid configuration for that', async () => {
    const root = makeDirectory();
    writeSkill(root, 'make-note', { ...noteSkill(), 'SKILL.md': skillMd('make-note', USAGE) });
    writeSkill(root, 'do-it-well', methodSkill());
    const { code, text } = await lint([root], { environment: { PORT: 'x' } });
    expect(code).toBe(0);
    expect(text).toContain('make_note@1');
    expect(text).toContain('warning: no_parameter_description /title');
    expect(text).not.toContain('do-it-well');
    expect((await lint([join(root, 'make-note')])).text).toBe(text);
  });

  it('fails when a score is below the least one, and not when it is just that', async () => {
    const root = makeDirectory();
    writeSkill(root, 'make-note', {
      ...noteSkill(),
      'SKILL.md': skillMd('make-note', `${USAGE} It can help.`),
    });
    const { text } = await lint([root]);
    const [, clarity = ''] = /clarity (\d\.\d\d)/u.exec(text) ?? [];
    expect((await lint([root], { min: clarity })).code).toBe(0);
    const failed = await lint([root], { min: String(Number(clarity) + 0.001) });
    expect(failed.code).toBe(1);
    expect(failed.text).toContain('error: clarity is below');
  });

  it('fails on an error whatever the scores are', async () => {
    const root = makeDirectory();
    writeSkill(root, 'make-note', { ...noteSkill(), 'SKILL.md': skillMd('make-note', 'Makes a note.') });
    const { code, text } = await lint([root]);
    expect(code).toBe(1);
    expect(text).toContain('error: no_usage:');
  });

  it('tells why a tool cannot be read, and fails', async () => {
    const root = makeDirectory();
    writeSkill(
      root,
      'make-note',
      noteSkill('make-note', { description: 'Hidden\u200B text', handler: 'nope' }),
    );
    const { code, text } = await lint([root]);
    expect(code).toBe(1);
    expect(text).toContain(`error: ${join(root, 'make-note', 'tool.json')}: `);
  });

  it('looks at the commands of a built package, and starts none of them', async () => {
    const directory = await makePrebuilt();
    const { code, text } = await lint([directory], { json: true });
    const { tools, faults } = JSON.parse(text) as { tools: { ref: string; origin: string }[]; faults: [] };
    expect([code, faults]).toEqual([1, []]);
    expect(tools.map(({ ref }) => ref)).toEqual(['alpha@1.2.3', 'zeta@1.2.3', 'greet@1.0.0']);
    expect(tools[0]).toMatchObject({
      origin: 'package:one',
      ok: true,
      scores: { actionability: 0.6 },
      adjusted_scores: { actionability: 1 },
      too_low: [],
      findings: expect.arrayContaining([
        expect.objectContaining({ severity: 'warning', rule: 'no_parameter_description', path: '/n' }),
      ]),
    });
    expect(tools[2]).toMatchObject({
      ok: false,
      findings: expect.arrayContaining([expect.objectContaining({ severity: 'error', rule: 'no_usage' })]),
    });
  });

  it('says so when there is nothing to lint', async () => {
    expect((await lint([makeDirectory()])).code).toBe(2);
  });

  it.each(['x', '', '-0.1', '1.1', 'NaN'])('refuses --min %j', async (min) => {
    expect(await lint([], { min })).toEqual({
      code: 2,
      text: `--min must be a number from 0 to 1, received ${JSON.stringify(min)}.`,
    });
  });

  it.each(['0', '1'])('takes --min %s', async (min) => {
    expect((await lint(['calculate'], { min })).code).toBe(Number(min));
  });

  it('ends as a start does when the configuration is wrong', async () => {
    expect((await lint([], { environment: { PORT: 'x' } })).code).toBe(78);
  });
});
