import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { requirements } from './requirements.ts';
import { readSources, root } from './support/sources.ts';

const tests = readSources('test').filter((source) => source.path.endsWith('.test.ts'));
const cited = new Set(
  tests.flatMap((source) =>
    [...source.text.matchAll(/\[([A-Z]\d[\w.-]*(?:[ ,]+[A-Z]\d[\w.-]*)*)\]/gu)].flatMap((match) =>
      (match[1] ?? '').split(/[ ,]+/u),
    ),
  ),
);

describe('the lines of the brief', () => {
  it('are all gathered: every list in test/requirements/ is part of requirements.ts', () => {
    const lists = readdirSync(`${root}/test/requirements`).filter((name) => name.endsWith('.ts'));
    const source = readSources('test').find((file) => file.path === 'test/requirements.ts');
    expect(lists.filter((name) => !source?.text.includes(`./requirements/${name}`))).toEqual([]);
  });

  it('have one id each', () => {
    const ids = requirements.map((requirement) => requirement.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(requirements.map((requirement) => [requirement.id, requirement.text]))(
    '%s is proven by a test: %s',
    (id) => {
      expect(cited.has(id)).toBe(true);
    },
  );
});
