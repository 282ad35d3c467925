import { describe, expect, it } from 'vitest';
import { makePlanTool } from '../../src/builtin/make-plan.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { checkWith, runWith } from './run-tool.ts';

const firstMessage = (args: JsonObject) => checkWith(makePlanTool, args)[0]?.message;
const steps = (count: number) => Array.from({ length: count }, (_, index) => `step ${index}`);

describe('make_plan checks its arguments', () => {
  it.each<[string, JsonObject, string]>([
    ['unknown names first', { goals: 'x', extra: 1 }, 'unsupported arguments: extra, goals'],
    ['no goal', { steps: [] }, 'goal must be a non-empty string'],
    ['a blank goal', { goal: ' \n ', steps: ['a'] }, 'goal must be a non-empty string'],
    ['a long goal before the steps', { goal: 'x'.repeat(401) }, 'goal must be at most 400 characters'],
    ['no steps', { goal: 'x' }, 'steps must be a non-empty list of strings'],
    ['steps as text', { goal: 'x', steps: 'one' }, 'steps must be a non-empty list of strings'],
    ['an empty list', { goal: 'x', steps: [] }, 'steps must be a non-empty list of strings'],
    [
      '21 steps, before any of them',
      { goal: 'x', steps: Array(21).fill('') },
      'steps must contain at most 20 entries',
    ],
    ['a blank step', { goal: 'x', steps: ['a', ' '] }, 'every step must be a non-empty string'],
    ['a step that is no text', { goal: 'x', steps: [1] }, 'every step must be a non-empty string'],
    ['a long step', { goal: 'x', steps: ['y'.repeat(401), ''] }, 'each step must be at most 400 characters'],
    [
      'steps in their order',
      { goal: 'x', steps: ['', 'y'.repeat(401)] },
      'every step must be a non-empty string',
    ],
  ])('[S1-30] %s', (_name, args, message) => {
    expect(firstMessage(args)).toBe(message);
  });

  it('[S1-30] takes 400 characters and 20 steps, counted as code points before white space is collapsed', () => {
    expect(firstMessage({ goal: '😀'.repeat(400), steps: steps(20) })).toBeUndefined();
    expect(firstMessage({ goal: 'x', steps: ['😀'.repeat(400)] })).toBeUndefined();
    expect(firstMessage({ goal: 'x', steps: ['😀'.repeat(401)] })).toContain('400');
    expect(firstMessage({ goal: `x${' '.repeat(400)}`, steps: ['a'] })).toContain('400');
  });

  it('points at the step that is wrong', () => {
    expect(checkWith(makePlanTool, { goal: 'x', steps: ['a', 'b', ''] })[0]?.path).toBe('/steps/2');
  });
});

describe('make_plan writes the plan', () => {
  it('[S1-31] collapses white space and ends without a line feed', async () => {
    const { output, file } = await runWith(makePlanTool, { goal: ' a \n b', steps: [' x\ty  z '] });
    expect(output).toEqual({ plan: 'Plan: a b\n\n1. x y z', step_count: 1 });
    expect(file).toMatchObject({ name: 'plan.txt', mediaType: 'text/plain' });
    expect(file!.bytes.byteLength).toBe(19);
  });

  it('[S1-31] sizes the file in UTF-8', async () => {
    const { output, file } = await runWith(makePlanTool, { goal: 'Größe', steps: ['日本'] });
    expect(output['plan']).toBe('Plan: Größe\n\n1. 日本');
    expect(file!.bytes.byteLength).toBe(Buffer.byteLength('Plan: Größe\n\n1. 日本'));
  });

  it('[S1-32] keeps the text in the output, because the file alone would leave a model nothing', async () => {
    const { output } = await runWith(makePlanTool, { goal: 'g', steps: steps(20) });
    expect(output['plan']).toMatch(/^Plan: g\n\n1\. step 0\n[^]*\n20\. step 19$/u);
    expect(output['step_count']).toBe(20);
  });
});

describe('make_plan describes itself', () => {
  it('[S1-33] names every argument and every limit that it enforces, and when not to call', () => {
    const { description, inputSchema } = makePlanTool.spec;
    for (const name of Object.keys(inputSchema['properties'] as JsonObject))
      expect(description).toContain(name);
    expect(description).toContain('at most 400 characters');
    expect(description).toContain('1 to 20');
    expect(description).toMatch(/only when/iu);
    expect(description).toMatch(/not call it twice/u);
    expect(firstMessage({ goal: 'x', steps: steps(20) })).toBeUndefined();
    expect(firstMessage({ goal: 'x', steps: steps(21) })).toContain('20');
  });

  it('has examples that pass its own check', () => {
    for (const example of makePlanTool.spec.examples ?? []) {
      expect(checkWith(makePlanTool, example.arguments)).toEqual([]);
    }
  });
});
