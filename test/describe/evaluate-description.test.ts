import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  adjustedScores,
  evaluateDescription,
  evaluateTool,
} from '../../src/describe/evaluate-description.ts';
import { renderDocument } from '../../src/describe/render-description.ts';
import { createToolSchemaBuilder } from '../../src/describe/tool-schema-builder.ts';
import { demoTool, specOf } from './specs.ts';

const CRITERIA = ['clarity', 'completeness', 'accuracy', 'actionability', 'consistency'] as const;

/** The five scores in order, to 1e-9. */
function scoresOf(description: string, tool: Parameters<typeof evaluateDescription>[1]): number[] {
  const { scores } = evaluateDescription(description, tool);
  return CRITERIA.map((criterion) => Number(scores[criterion].toFixed(9)));
}

function rules(
  description: string,
  tool: Parameters<typeof evaluateDescription>[1],
  set: 'score' | 'own' = 'own',
): string[] {
  return evaluateDescription(description, tool)
    .findings.filter((one) => one.set === set)
    .map((one) => one.rule);
}

describe("the seed's scores", () => {
  it('[S3-8] give the five criteria and nothing else, each from 0 to 1', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.array(fc.string()), (text, name, names) => {
        const { scores } = evaluateDescription(text, {
          name,
          parameters: names.map((one) => ({ name: one })),
        });
        expect(Object.keys(scores)).toEqual([...CRITERIA]);
        for (const score of Object.values(scores)) expect(score >= 0 && score <= 1).toBe(true);
      }),
    );
  });

  it('[S3-9] take vague and ambiguous terms, a missing name and missing parameters off', () => {
    const text = 'helps with things; assist handle stuff it this that';
    expect(scoresOf(text, { name: 'zz', parameters: [{ name: 'a_b' }] })).toEqual([0.4, 0, 0.55, 0, 1]);
  });

  it('[S3-9] give actionability 1 to a text with all five signals', () => {
    const { scores } = evaluateDescription('Use when x. Returns Errors Args Parameters', { name: 't' });
    expect(scores.actionability).toBeCloseTo(1, 9);
  });

  it('[S3-9] give 1, 1, 1, 0.6, 1 to the bare headings', () => {
    expect(scoresOf('## t\n### Parameters\n### Returns\n### Errors', { name: 't' })).toEqual([
      1, 1, 1, 0.6, 1,
    ]);
  });

  it('[S3-9] halve consistency when camelCase and snake_case meet', () => {
    expect(evaluateDescription('getName snake_case', { name: 'x' }).scores.consistency).toBeCloseTo(0.5, 9);
    expect(evaluateDescription('getName', { name: 'x' }).scores.consistency).toBe(1);
  });

  it('[S3-9] count each ambiguous term once and stop at 0', () => {
    const parameters = Array.from({ length: 7 }, (_, index) => ({ name: `p${index}` }));
    const { scores } = evaluateDescription(' it  this  that ', { name: 'zz', parameters });
    expect(scores.clarity).toBeCloseTo(0.85, 9);
    expect(scores.accuracy).toBe(0);
  });

  it('[S3-9] compare ambiguous terms case by case and between spaces only', () => {
    expect(evaluateDescription("THIS is It that's", { name: 'x' }).scores.clarity).toBe(1);
  });

  it('[S3-9] never take clarity below 0.35', () => {
    const text = 'help assist thing stuff handle it this that help help';
    expect(evaluateDescription(`${text} it it `, { name: 'x' }).scores.clarity).toBeCloseTo(0.35, 9);
  });

  it('[S3-9] give the demo tool 1, 1, 1, 0.6, 1', () => {
    const tool = demoTool();
    expect(scoresOf(renderDocument(tool), tool)).toEqual([1, 1, 1, 0.6, 1]);
  });

  it('[S3-9] give an empty builder 1, 1, 1, 0.6, 1', () => {
    const tool = createToolSchemaBuilder('x').build();
    expect(scoresOf(renderDocument(tool), tool)).toEqual([1, 1, 1, 0.6, 1]);
  });

  it('[S3-8] take parameter names from the schema where none are stated', () => {
    const inputSchema = { type: 'object', properties: { alpha: {}, beta: {} } };
    expect(evaluateDescription('x alpha', { name: 'x', inputSchema }).scores.accuracy).toBeCloseTo(0.85, 9);
  });

  it('name every term that cost something', () => {
    const { findings } = evaluateDescription('it is a thing; this it uses getName snake_case ', {
      name: 'q',
      parameters: [{ name: 'p9' }],
    });
    const counted = findings.filter((one) => one.set === 'score').map((one) => `${one.rule}: ${one.message}`);
    expect(counted.join('\n')).toMatch(/vague_term: .*"thing"/u);
    expect(counted.join('\n')).toMatch(/ambiguous_term: .*"it"/u);
    expect(counted.join('\n')).toMatch(/missing_name: .*"p9"/u);
    expect(counted.join('\n')).toMatch(/missing_section: .*"## q"/u);
    expect(counted.join('\n')).toMatch(/missing_signal: .*"Args"/u);
    expect(counted.join('\n')).toMatch(/mixed_naming/u);
  });
});

describe('our own findings', () => {
  it('say that "something" is no vague word, and what clarity is without it', () => {
    const evaluation = evaluateDescription('Finds something in a handler. A thing.', { name: 'x' });
    expect(evaluation.scores.clarity).toBeCloseTo(0.8, 9);
    expect(evaluation.findings.find((one) => one.rule === 'false_alarm')?.message).toContain(
      '"handle" in "handler"',
    );
    expect(adjustedScores(evaluation).clarity).toBeCloseTo(0.9, 9);
  });

  it('say that JavaScript and an escaped line break are no camelCase', () => {
    const evaluation = evaluateDescription('Runs JavaScript. make_it({"text":"Dear all,\\nKind regards"})', {
      name: 'x',
    });
    expect(evaluation.scores.consistency).toBe(0.5);
    expect(adjustedScores(evaluation).consistency).toBe(1);
    expect(adjustedScores(evaluateDescription('getName snake_case', { name: 'x' })).consistency).toBe(0.5);
  });

  it('say that the fixed document cannot pass 0.60, and what it is worth', () => {
    const spec = specOf({
      triggers: ['the user asks for a customer'],
      errors: [{ code: 'X', description: 'y', resolution: 'z' }],
    });
    const evaluation = evaluateTool(spec);
    expect(evaluation.scores.actionability).toBeCloseTo(0.6, 9);
    expect(adjustedScores(evaluation).actionability).toBe(1);
  });

  it('do not lift a document that says nowhere when to use the tool', () => {
    const evaluation = evaluateTool(specOf({}));
    expect(evaluation.findings.map((one) => one.rule)).toContain('no_usage');
    expect(adjustedScores(evaluation).actionability).toBeCloseTo(0.75, 9);
  });

  it.each([
    ['no_parameter_description', { properties: { page_count: { type: 'integer' } } }],
    ['no_limit', { properties: { body: { type: 'string', description: 'x' } } }],
    ['no_limit', { properties: { tags: { type: 'array', description: 'x' } } }],
    ['limit_not_stated', { properties: { body: { type: 'string', maxLength: 12_000, description: 'x' } } }],
    ['mixed_parameter_names', { properties: { pageCount: {}, page_size: {} } }],
    ['cryptic_name', { properties: { qx: {} } }],
    ['cryptic_name', { properties: { arg1: {} } }],
    ['no_example', { properties: {} }],
  ])('say %s', (rule, inputSchema) => {
    expect(
      rules('A text.', { name: 'get_report', inputSchema: { type: 'object', ...inputSchema } }),
    ).toContain(rule);
  });

  it('take a limit as stated with or without a thousands separator', () => {
    const inputSchema = {
      type: 'object',
      properties: { body: { type: 'string', maxLength: 12_000, description: 'x' } },
    };
    for (const text of ['at most 12,000 characters', 'at most 12000 characters']) {
      expect(rules(text, { name: 'x', inputSchema })).not.toContain('limit_not_stated');
    }
  });

  it('know the short names that everybody knows', () => {
    const inputSchema = {
      type: 'object',
      properties: { id: {}, url: {}, customer_id: {}, csv: {}, x: {}, max_px: {} },
    };
    expect(rules('text', { name: 'get_pdf', inputSchema })).not.toContain('cryptic_name');
  });

  it('[S3.3-8] name another tool that says nearly the same', () => {
    const text = 'Looks up one customer record in the main store and gives its fields.';
    const others = [
      {
        name: 'find_customer',
        description: 'Looks up a customer record in the main store and gives all its fields.',
      },
      { name: 'create_pdf', description: 'Sets text as a PDF file.' },
    ];
    const found = evaluateDescription(text, { name: 'get_customer' }, others).findings.filter(
      (one) => one.rule === 'overlap',
    );
    expect(found.map((one) => one.message)).toEqual([expect.stringContaining('"find_customer"')]);
  });

  it('count concealed characters without repeating them', () => {
    const found = evaluateDescription('a\u{E0041}\u{E0042}b', { name: 'x' }).findings.filter(
      (one) => one.rule === 'concealed',
    );
    expect(found.map((one) => one.message)).toEqual([
      'A reader cannot see what stands in the text: 2 tag characters, the first at offset 1.',
    ]);
  });
});
