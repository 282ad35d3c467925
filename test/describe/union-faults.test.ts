import { describe, expect, it } from 'vitest';

import { detailsOf } from './specs.ts';

describe('faults in unions', () => {
  const shape = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
        required: ['kind', 'radius'],
        additionalProperties: false,
      },
      {
        type: 'object',
        title: 'Square',
        properties: { kind: { const: 'square' }, side: { type: 'number' } },
        required: ['kind', 'side'],
        additionalProperties: false,
      },
    ],
  };

  it('tell the nearest form and why it failed, and nothing of the others', () => {
    expect(detailsOf({ shape }, { shape: { kind: 'square', side: 'x' } })).toEqual([
      '/shape/side: Received the string "x". Expected number. For example: 1. (nearest of 2 forms: form 2, Square)',
    ]);
    expect(detailsOf({ shape }, { shape: { kind: 'circle' } })).toEqual([
      '/shape/radius: Missing. Expected number. For example: 1. (nearest of 2 forms: form 1, kind "circle")',
    ]);
  });

  it('name all tags when the tag is wrong, and the one that fits the rest', () => {
    expect(detailsOf({ shape }, { shape: { kind: 'sqare', side: 1 } })).toEqual([
      '/shape/kind: Received the string "sqare". Expected one of "circle", "square". Did you mean "square"?',
    ]);
    expect(detailsOf({ shape }, { shape: { kind: 7, side: 1 } })).toEqual([
      '/shape/kind: Received the integer 7. Expected one of "circle", "square". Did you mean "square"?',
    ]);
  });

  it('are one entry when no form takes such a value', () => {
    expect(detailsOf({ shape }, { shape: 5 })).toHaveLength(1);
    expect(
      detailsOf({ n: { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] } }, { n: true }),
    ).toEqual(['/n: Received the boolean true. Expected string, at most 5 characters or null. Send "true".']);
  });

  it('find the branch behind references that lead back, at any depth', () => {
    const more = {
      $defs: {
        Node: {
          anyOf: [
            {
              type: 'object',
              properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } },
              required: ['kids'],
              additionalProperties: false,
            },
            { type: 'integer' },
          ],
        },
      },
    };
    expect(
      detailsOf({ tree: { $ref: '#/$defs/Node' } }, { tree: { kids: [1, { kids: [2, 'x'] }] } }, more),
    ).toEqual(['/tree/kids/1/kids/1: Received the string "x". Expected object or integer. For example: 1.']);
  });

  it('say which members exclude each other', () => {
    const properties = { id: { type: 'string' }, email: { type: 'string' } };
    const more = { oneOf: [{ required: ['id'] }, { required: ['email'] }] };
    expect(detailsOf(properties, { id: '1', email: 'e' }, more)).toEqual([
      ': Received the object {"id":"1","email":"e"}. It fits 2 of 2 forms; expected exactly one. Send only one of "id", "email".',
    ]);
  });

  it('keep faults beside the union', () => {
    const details = detailsOf(
      { shape, n: { type: 'integer' } },
      { shape: { kind: 'circle' }, n: 'x', extra_thing: 1 },
    );
    expect(details.map((one) => one.split(':')[0])).toEqual(['/extra_thing', '/shape/radius', '/n']);
  });
});
