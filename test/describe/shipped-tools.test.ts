import { afterAll, describe, expect, it } from 'vitest';

import { createBuiltins } from '../../src/compose/create-builtins.ts';
import { adjustedScores, evaluateTool } from '../../src/describe/evaluate-description.ts';
import { severityOf } from '../../src/describe/severity.ts';
import { hasPython, readShippedSpecs } from './shipped-specs.ts';

const builtins = createBuiltins();
afterAll(builtins.close);
const specs = await readShippedSpecs(builtins);

const MIN = 0.8;

describe('the description of a shipped tool', () => {
  it('is looked at for every one of them', () => {
    expect(specs.map(({ name }) => name).toSorted()).toEqual(
      [
        'action_list',
        'calculate',
        'create_pdf',
        'data-fetch',
        'date_math',
        'incident_report',
        'make_plan',
        'meeting_minutes',
        'plot',
        'read_skill',
        'status_update',
        'summarise',
        ...(hasPython ? ['text_stats'] : []),
      ].toSorted(),
    );
  });

  it.each(specs.map((spec) => ({ name: spec.name, spec })))(
    '[S3.3-3] has no adjusted score below 0.8, and nothing to mend: $name',
    ({ spec }) => {
      const evaluation = evaluateTool(spec, specs);
      const low = Object.entries(adjustedScores(evaluation)).filter(([, score]) => score < MIN - 1e-9);
      expect(low).toEqual([]);
      expect(evaluation.findings.filter((finding) => severityOf(finding) !== 'note')).toEqual([]);
    },
  );

  it('[S3.3-6] keeps names in one style; only a package has hyphens in them', () => {
    for (const { name, origin, inputSchema } of specs) {
      const parameters = Object.keys((inputSchema['properties'] ?? {}) as object);
      const style = origin.startsWith('package:')
        ? /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/u
        : /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u;
      expect(name).toMatch(style);
      for (const parameter of parameters) expect(parameter).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u);
    }
  });

  it('has triggers that end in no punctuation', () => {
    for (const { name, triggers = [] } of specs) {
      for (const trigger of triggers)
        expect([name, trigger]).toEqual([name, expect.stringMatching(/[a-z0-9]$/u)]);
    }
  });

  it('names only error codes that a caller can meet', () => {
    const codes = specs.flatMap(({ name, errors = [] }) => errors.map(({ code }) => `${name} ${code}`));
    expect(codes.filter((code) => code.includes('EXIT_'))).toEqual([]);
    expect(codes).toContain('plot TOOL_RETRY');
  });
});

describe.skipIf(!hasPython)('the description of text_stats (needs python3 with pydantic)', () => {
  it('comes from the package itself', () => {
    expect(specs.find(({ name }) => name === 'text_stats')?.description).toContain('words');
  });
});
