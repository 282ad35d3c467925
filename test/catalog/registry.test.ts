import { describe, expect, it } from 'vitest';

import { buildRegistry } from '../../src/catalog/registry.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Origin } from '../../src/core/tool.ts';
import { makeTool, testLimits } from '../support/tools.ts';

/** What became of one tool whose argument `code` has this schema. */
function register(code: JsonObject, origin: Origin = 'package:py') {
  const inputSchema = { type: 'object', properties: { code }, additionalProperties: false };
  const { tools, refusals } = buildRegistry([makeTool({ origin, inputSchema })], testLimits);
  const [tool] = tools;
  return {
    tool: tool && { findings: tool.findings, faults: tool.entry.validate({ code: 'x', other: 1 }) },
    reasons: refusals.map(({ reason }) => reason),
  };
}

/** Python reads them, this service does not. */
const PYTHON_ONLY = ['(?P<a>x)(?P=a)', '(?#a comment)x', '(a)?(?(1)b|c)', '(?>a)b', '(?x) a b'];

describe('a package whose schema has a pattern that only its own language reads', () => {
  it.each(PYTHON_ONLY)('is taken, with its own validation for the schema: %s', (pattern) => {
    const { tool, reasons } = register({ type: 'string', pattern });
    expect(reasons).toEqual([]);
    expect(tool?.faults).toEqual([]);
    expect(tool?.findings).toEqual([
      expect.stringMatching(/cannot be read here .* its own validation stands in$/u),
    ]);
  });

  it('is taken as well where the pattern names properties, or stands under `not`', () => {
    for (const code of [{ patternProperties: { '(?>a)b': {} } }, { not: { pattern: '(?>a)b' } }]) {
      expect(register(code).tool?.faults).toEqual([]);
    }
  });

  it.each<[string, JsonObject]>([
    [
      'another pattern can take exponential time',
      { allOf: [{ pattern: '(?>a)b' }, { pattern: '(a+)+\\1$' }] },
    ],
    ['a $ref leads nowhere', { pattern: '(?>a)b', $ref: '#/missing' }],
    ['a keyword has the wrong type', { pattern: '(?>a)b', minLength: 'one' }],
  ])('is refused all the same where %s', (_why, code) => {
    expect(register(code)).toMatchObject({ tool: undefined, reasons: [expect.stringContaining('schema')] });
  });

  it.each<Origin>(['builtin', 'repository', 'directory:own'])('is refused of the origin %s', (origin) => {
    expect(register({ pattern: '(?>a)b' }, origin).tool).toBeUndefined();
  });

  it('is refused, package or not, where a pattern can take exponential time', () => {
    const { tool, reasons } = register({ pattern: '(a+)+\\1$' });
    expect(tool).toBeUndefined();
    expect(reasons).toEqual([expect.stringContaining('exponential time')]);
  });

  it('keeps its schema where all patterns can be read, also those in the notation of Python', () => {
    expect(register({ type: 'string', pattern: '^(?P<year>\\d{4})$' }).tool?.faults).toHaveLength(2);
  });
});
