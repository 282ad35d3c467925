import { describe, expect, it } from 'vitest';

import { createToolSchemaBuilder } from '../../src/describe/tool-schema-builder.ts';

describe('the builder', () => {
  it('[S3-7] gives itself back from every call, in any order', () => {
    const builder = createToolSchemaBuilder('t');
    expect(builder.setDescription('a', 'b')).toBe(builder);
    expect(builder.addParameter('p', { type: 'string', description: 'd' })).toBe(builder);
    expect(builder.setReturns('object', 'r', {})).toBe(builder);
    expect(builder.addError('C', 'd', 'r')).toBe(builder);
    expect(builder.addTrigger('t')).toBe(builder);
    expect(builder.addExample('i', {})).toBe(builder);
  });

  it('[S3-7] prefers the detailed description and falls back to the short one', () => {
    expect(createToolSchemaBuilder('t').setDescription('short', 'long').build()).toMatchObject({
      summary: 'short',
      description: 'long',
    });
    expect(createToolSchemaBuilder('t').setDescription('short', '').build().description).toBe('short');
    expect(createToolSchemaBuilder('t').setDescription('short').build().description).toBe('short');
  });

  it('[S3-7] makes a closed object schema out of the parameters', () => {
    const built = createToolSchemaBuilder('t')
      .addParameter('a', { type: 'string', description: 'A.', required: true, schema: { maxLength: 5 } })
      .addParameter('b', { type: ['integer', 'null'], description: 'B.', default: 0, enum: [0, 1] })
      .build();
    expect(built.inputSchema).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: 'A.', maxLength: 5 },
        b: { type: ['integer', 'null'], description: 'B.', enum: [0, 1], default: 0 },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('[S3-7] does not change what it has built', () => {
    const builder = createToolSchemaBuilder('t').addTrigger('one').addError('A', 'b', 'c');
    const built = builder.build();
    builder
      .addTrigger('two')
      .addExample('x', {})
      .addError('B', 'c', 'd')
      .addParameter('p', { type: 'string', description: '' });
    expect(built.triggers).toEqual(['one']);
    expect(built.examples).toEqual([]);
    expect(built.errors).toHaveLength(1);
    expect(built.inputSchema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('[S3-7] leaves returns out when they were not set', () => {
    expect(createToolSchemaBuilder('t').build()).not.toHaveProperty('returns');
  });

  it('refuses a parameter that is added twice', () => {
    const builder = createToolSchemaBuilder('t').addParameter('p', { type: 'string', description: '' });
    expect(() => builder.addParameter('p', { type: 'string', description: '' })).toThrow(
      't: the parameter p was added twice',
    );
  });
});
