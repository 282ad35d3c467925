import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { createBuiltins } from '../../src/compose/create-builtins.ts';
import { root } from '../support/sources.ts';

const builtins = createBuiltins();
afterAll(builtins.close);
const specs = builtins.tools.map(({ spec }) => spec);

describe('the specs of the built-in tools', () => {
  it('take the arguments that their version has always taken', () => {
    const pinned: unknown = JSON.parse(
      readFileSync(join(root, 'test/fixtures/builtin/input-schemas.json'), 'utf8'),
    );
    expect(Object.fromEntries(specs.map(({ name, inputSchema }) => [name, inputSchema]))).toEqual(pinned);
  });

  it('have triggers that go on after "When"', () => {
    for (const { name, triggers = [] } of specs) {
      expect([name, triggers.length > 0]).toEqual([name, true]);
      for (const trigger of triggers) expect(trigger).toMatch(/^(?:the|a|an) [a-z].*[a-z]$/u);
    }
  });
});
