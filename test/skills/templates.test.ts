import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.ts';
import { checkVariables } from '../../src/skills/template/check-variables.ts';
import { renderTemplate } from '../../src/skills/template/render-template.ts';
import { rootNode } from '../../src/skills/template/schema-scope.ts';
import { parseTemplate } from '../../src/skills/template/template.ts';
import { toView } from '../../src/skills/template/to-view.ts';

const SCHEMA: JsonObject = {
  type: 'object',
  $defs: {
    person: { type: 'object', properties: { name: { type: 'string' }, city: { type: ['string', 'null'] } } },
  },
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    done: { type: 'boolean' },
    name: { type: 'string' },
    owner: { $ref: '#/$defs/person' },
    people: { type: 'array', items: { $ref: '#/$defs/person' } },
    tags: { type: 'array', items: { type: 'string' } },
    groups: {
      type: 'array',
      items: {
        type: 'object',
        properties: { label: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
    constructor: { type: 'string' },
    mixed: { type: ['string', 'array'] },
    anything: {},
    elsewhere: { $ref: 'https://example.org/schema.json' },
    circle: { $ref: '#/properties/circle' },
    either: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
  },
};

function check(text: string): string[] {
  const parsed = parseTemplate(text, 't');
  const notes = parsed.ok ? checkVariables(parsed.template, [rootNode(SCHEMA)]) : parsed.faults;
  return notes.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

function render(text: string, args: JsonObject, escape = (value: string) => value): string {
  const parsed = parseTemplate(text, 't');
  if (!parsed.ok) throw new Error(parsed.faults[0]?.message);
  expect(checkVariables(parsed.template, [rootNode(SCHEMA)])).toEqual([]);
  const rendered = renderTemplate(parsed.template, [toView(args, rootNode(SCHEMA))], escape);
  return rendered.ok ? rendered.text : 'too long';
}

describe('a template is held against the schema at boot', () => {
  it.each([
    '{{title}} {{count}} {{done}}',
    '{{owner.name}} {{#owner}}{{name}} {{city}}{{/owner}}',
    '{{#people}}{{name}}{{title}}{{/people}}{{^people}}nobody{{/people}}',
    '{{#tags}}{{.}}{{/tags}}',
    '{{#has_tags}}{{#tags}}{{.}}{{/tags}}{{/has_tags}}{{^has_tags}}none{{/has_tags}}',
    '{{#groups}}{{label}}{{#tags}}{{.}}{{/tags}}{{/groups}}',
    '{{#either}}{{a}}{{/either}}',
    '{{! a comment }}plain',
  ])('takes %s', (text) => expect(check(text)).toEqual([]));

  it.each([
    ['{{titel}}', '1:1 "titel" is not in input_schema'],
    ['a\n  {{owner.nam}}', '2:3 "owner.nam" is not in input_schema'],
    ['{{#people}}{{nam}}{{/people}}', '1:12 "nam" is not in input_schema. Known here: '],
    ['{{#nothing}}x{{/nothing}}', '1:1 "nothing" is not in input_schema'],
    ['{{has_title}}', '"has_title" is not in input_schema'],
    ['{{tags}}', '"tags" is a list. Open a section'],
    ['{{owner}}', '"owner" is an object. Name one of its members'],
    ['{{.}}', '"." is an object'],
    ['{{#people}}{{.}}{{/people}}', '"." is an object'],
    ['{{has_tags}}', 'only says whether the list has entries'],
    ['{{tags.length}}', '"tags.length" is not in input_schema'],
    ['{{title.length}}', '"title.length" is not in input_schema'],
    ['{{constructor}}', '"constructor" is not a name that a template can use'],
    ['{{__proto__}}', '"__proto__" is not a name that a template can use'],
    ['{{hasOwnProperty}}', 'is not a name that a template can use'],
    ['{{mixed}}', '"mixed" has no single type'],
    ['{{anything}}', '"anything" has no single type'],
    ['{{elsewhere}}', '"elsewhere" has no single type'],
    ['{{circle}}', '"circle" has no single type'],
    ['{{#groups}}{{#people}}x{{/people}}{{/groups}}', '"people" is a list of an outer level'],
    ['{{{title}}}', 'an unescaped value'],
    ['{{&title}}', 'an unescaped value'],
    ['{{> partial}}', 'a partial'],
    ['{{=<% %>=}}<% title %>', 'other delimiters'],
    ['{{#tags}}', 'is not a Mustache template: Unclosed section "tags"'],
    ['{{/tags}}', 'is not a Mustache template: Unopened section "tags"'],
    ['x{{title', '1:9 is not a Mustache template: Unclosed tag'],
  ])('refuses %s', (text, expected) => expect(check(text)[0]).toContain(expected));

  it('takes 100,000 characters and refuses one more', () => {
    expect(check('x'.repeat(100_000))).toEqual([]);
    expect(check('x'.repeat(100_001))[0]).toContain('has 100001 characters');
  });

  it('never throws, whatever the text', () => {
    const part = fc.constantFrom(
      '{{',
      '}}',
      '#',
      '/',
      '^',
      'title',
      'tags',
      '.',
      ' ',
      '\n',
      '=',
      '{',
      '}',
      '!',
      '>',
      '&',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expect(() => check(parts.join(''))).not.toThrow();
      }),
    );
  });
});

describe('a template is filled', () => {
  it('with what is there, and nothing for what is not', () => {
    expect(
      render('[{{title}}|{{count}}|{{done}}|{{owner.name}}]', { title: 'T', count: 0, done: false }),
    ).toBe('[T|0|false|]');
  });

  it('and 0 counts as there', () => {
    expect(render('{{#count}}{{count}}{{/count}}', { count: 0 })).toBe('0');
  });

  it('and a member that an entry lacks is not taken from further out', () => {
    expect(
      render('{{#people}}[{{name}}]{{/people}}', { name: 'outer', people: [{ name: 'inner' }, {}] }),
    ).toBe('[inner][]');
  });

  it('and entries that are null are empty', () => {
    expect(
      render('{{#tags}}[{{.}}]{{/tags}}{{#people}}[{{name}}]{{/people}}', {
        tags: [null, 'a'],
        people: [null],
      }),
    ).toBe('[][a][]');
  });

  it('and undeclared arguments and prototypes are out of reach', () => {
    const args = JSON.parse('{"__proto__": {"title": "polluted"}, "extra": 1}') as JsonObject;
    expect(render('[{{title}}]', args)).toBe('[]');
  });

  it('with one kind of line break and no control characters', () => {
    expect(render('{{title}}', { title: 'a\r\nb\rc\u2028d\u0000\u0007e\tf' })).toBe('a\nb\nc\nde\tf');
  });

  it('and stops when one value inside a long list would grow past the limit', () => {
    const people = Array.from({ length: 2000 }, () => ({}));
    expect(render('{{#people}}{{title}}{{/people}}', { title: 'x'.repeat(10_000), people })).toBe('too long');
    expect(render('{{#people}}{{title}}{{/people}}', { title: 'x'.repeat(1000), people })).toHaveLength(
      2_000_000,
    );
  });

  it('and values are never read as a template', () => {
    expect(render('{{title}}', { title: '{{name}}', name: 'x' })).toBe('{{name}}');
  });
});
