import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, it } from 'vitest';

import type { ToolSpec } from '../../src/core/tool.ts';
import { exportTools, type AnthropicTool, type OpenAiTool } from '../../src/describe/export-tools.ts';
import { specOf } from './specs.ts';

function lowered(inputSchema: object, format: 'openai' | 'anthropic' = 'openai') {
  const spec = specOf({ inputSchema: inputSchema as ToolSpec['inputSchema'] });
  if (format === 'openai') {
    const { tools, report } = exportTools([spec], 'openai');
    return { schema: tools[0]?.function.parameters, description: tools[0]?.function.description, report };
  }
  const { tools, report } = exportTools([spec], 'anthropic');
  return { schema: tools[0]?.input_schema, description: tools[0]?.description, report };
}

describe('the exported types', () => {
  it("are those of the official SDKs' requests", () => {
    expectTypeOf<OpenAiTool>().toExtend<OpenAI.Chat.Completions.ChatCompletionTool>();
    expectTypeOf<AnthropicTool>().toExtend<Anthropic.Messages.Tool>();
    const openai = {
      model: 'm',
      messages: [],
      tools: exportTools([], 'openai').tools,
    } satisfies OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
    const anthropic = {
      model: 'm',
      max_tokens: 1,
      messages: [],
      tools: exportTools([], 'anthropic').tools,
    } satisfies Anthropic.Messages.MessageCreateParamsNonStreaming;
    expect(openai.tools).toEqual(anthropic.tools);
  });
});

describe('an export', () => {
  it('has the shape of each API, sorted by name', () => {
    const specs = [specOf({ name: 'b' }), specOf({ name: 'a' })];
    expect(exportTools(specs, 'openai')).toEqual({
      tools: ['a', 'b'].map((name) => ({
        type: 'function',
        function: {
          name,
          description: 'Fetches one customer.',
          parameters: { type: 'object', properties: {}, additionalProperties: false },
        },
      })),
      report: [],
    });
    expect(exportTools(specs, 'anthropic')).toEqual({
      tools: ['a', 'b'].map((name) => ({
        name,
        description: 'Fetches one customer.',
        input_schema: { type: 'object', properties: {}, additionalProperties: false },
      })),
      report: [],
    });
  });

  it('keeps every name as it is, so that a call comes back under it', () => {
    for (const name of ['a', 'Data-fetch_2', 'x'.repeat(64)]) {
      expect(exportTools([specOf({ name })], 'openai').tools[0]?.function.name).toBe(name);
      expect(exportTools([specOf({ name })], 'anthropic').tools[0]?.name).toBe(name);
    }
  });

  it('leaves out a name that no API takes, and says so', () => {
    const { tools, report } = exportTools([specOf({ name: 'a.b' }), specOf({ name: 'ok' })], 'openai');
    expect(tools).toHaveLength(1);
    expect(report).toEqual([
      {
        tool: 'a.b',
        path: '',
        change: 'left_out',
        keyword: '',
        message: 'The tool is left out: its name does not fit this API.',
        still_checked: true,
      },
    ]);
  });

  it('loses nothing of a plain schema: nested, $defs, recursion, unions, bounds', () => {
    const schema = {
      type: 'object',
      properties: {
        tree: { $ref: '#/$defs/Node' },
        u: { oneOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
        items: { type: 'string' },
        title: { type: 'string' },
      },
      required: ['tree'],
      additionalProperties: false,
      $defs: {
        Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
      },
    };
    for (const format of ['openai', 'anthropic'] as const) {
      expect(lowered(schema, format)).toMatchObject({ schema, report: [] });
    }
  });

  it.each(['openai', 'anthropic'] as const)(
    'gives %s no union, not or condition at the root, and reports it',
    (format) => {
      const { schema, report, description } = lowered(
        {
          type: 'object',
          properties: { x: { type: 'string' } },
          oneOf: [
            { properties: { a: { type: 'string' } }, required: ['x', 'a'] },
            { properties: { a: { type: 'integer' }, b: {} }, required: ['x', 'b'] },
          ],
          not: { required: ['z'] },
          ...(JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]}}') as object),
        },
        format,
      );
      expect(schema).toEqual({
        type: 'object',
        properties: { x: { type: 'string' }, a: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, b: {} },
        required: ['x'],
      });
      expect(report.map((note) => [note.change, note.keyword, note.still_checked])).toEqual([
        ['rewritten', 'oneOf', true],
        ['dropped', 'not', true],
        ['dropped', 'if', true],
        ['dropped', 'then', true],
      ]);
      expect(description).toBe(
        'Fetches one customer.\nSend one of these sets of arguments: x with a; or x with b.',
      );
    },
  );

  it('merges allOf and a reference at the root', () => {
    const { schema, report } = lowered({
      $ref: '#/$defs/A',
      $defs: {
        A: { type: 'object', allOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }] },
      },
    });
    expect(schema).toMatchObject({ type: 'object', properties: { a: {}, b: {} }, required: ['a'] });
    expect(report).toEqual([]);
  });

  it('says tuples with items alone for OpenAI, with prefixItems for Anthropic', () => {
    const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false };
    expect(lowered({ type: 'object', properties: { t: tuple } }).schema?.['properties']).toEqual({
      t: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, maxItems: 2 },
    });
    expect(lowered({ type: 'object', properties: { t: tuple } }).report).toMatchObject([
      { path: '/properties/t', change: 'rewritten', keyword: 'prefixItems' },
    ]);
    expect(lowered({ type: 'object', properties: { t: tuple } }, 'anthropic').schema?.['properties']).toEqual(
      { t: tuple },
    );
  });

  it('gives every array items for OpenAI', () => {
    expect(lowered({ type: 'object', properties: { t: { type: 'array' } } }).schema?.['properties']).toEqual({
      t: { type: 'array', items: {} },
    });
  });

  it('writes older dialects in the words of 2020-12', () => {
    const old = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'https://example.org/x',
      type: 'object',
      properties: {
        pair: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
        n: { type: 'string', nullable: true },
      },
      dependencies: { a: ['b'] },
    };
    expect(lowered(old, 'anthropic').schema).toEqual({
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
        n: { type: ['string', 'null'] },
      },
      dependentRequired: { a: ['b'] },
      dependentSchemas: {},
    });
  });

  it('gives references into other places a definition of their own', () => {
    const { schema } = lowered({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { $ref: '#/properties/a' },
        c: { $ref: '#here' },
        d: { $anchor: 'here', type: 'integer' },
        e: { $ref: '#/missing' },
      },
    });
    expect(schema).toMatchObject({
      properties: {
        b: { $ref: '#/$defs/part_1' },
        c: { $ref: '#/$defs/part_2' },
        d: { type: 'integer' },
        e: { $ref: '#/$defs/part_3' },
      },
      $defs: { part_1: { type: 'string' }, part_2: { type: 'integer' }, part_3: true },
    });
  });

  it('drops an argument whose name Anthropic refuses, and the tool when it is required', () => {
    const schema = { type: 'object', properties: { größe: {}, ok: {} } };
    expect(lowered(schema, 'anthropic')).toMatchObject({
      schema: { properties: { ok: {} } },
      report: [{ change: 'dropped', keyword: 'properties' }],
    });
    expect(lowered({ ...schema, required: ['größe'] }, 'anthropic')).toMatchObject({
      schema: undefined,
      report: [{ change: 'left_out' }],
    });
    expect(lowered(schema, 'openai').report).toEqual([]);
  });

  it('cuts a description at 1,024 characters for OpenAI and at none for Anthropic', () => {
    const exact = specOf({ description: 'x'.repeat(1_024) });
    expect(exportTools([exact], 'openai').report).toEqual([]);
    const over = specOf({ description: `${'word '.repeat(210)}👩‍💻` });
    const { tools, report } = exportTools([over], 'openai');
    expect(tools[0]?.function.description.length).toBeLessThanOrEqual(1_024);
    expect(tools[0]?.function.description).toMatch(/word…$/u);
    expect(report).toMatchObject([{ change: 'cut', keyword: 'description' }]);
    expect(exportTools([over], 'anthropic').report).toEqual([]);
  });

  it('reports when there are more tools than OpenAI takes', () => {
    const specs = Array.from({ length: 129 }, (_, index) => specOf({ name: `t${index}` }));
    expect(exportTools(specs.slice(0, 128), 'openai').report).toEqual([]);
    expect(exportTools(specs, 'openai').report).toMatchObject([{ change: 'too_many' }]);
  });
});
