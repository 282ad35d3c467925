import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { faults, render } from './bound-handlers.ts';

const CSV = JSON.stringify({
  rows: 'list',
  columns: [
    { header: 'A, "quoted"', value: '{{a}}' },
    { header: 'B', value: '{{b}}{{^b}}none{{/b}} {{title}}' },
  ],
});
const CSV_PLAIN = JSON.stringify({
  rows: 'list',
  columns: [
    { header: 'A', value: '{{a}}' },
    { header: 'B', value: '{{b}}' },
  ],
});

describe('render_csv', () => {
  it('writes RFC 4180: CRLF, quotes doubled, one heading', async () => {
    const { text, facts } = await render('render_csv', CSV, {
      title: 'T',
      list: [{ a: 'x, "y"', b: 'l1\nl2' }, { a: 'é 日本' }],
    });
    expect(text).toBe('"A, ""quoted""",B\r\n"x, ""y""","l1\nl2 T"\r\né 日本,none T\r\n');
    expect(facts).toEqual({ rows: 2 });
  });

  it('writes the heading alone when the list is empty or absent', async () => {
    expect((await render('render_csv', CSV_PLAIN, { list: [] })).text).toBe('A,B\r\n');
    expect((await render('render_csv', CSV_PLAIN, {})).text).toBe('A,B\r\n');
  });

  it.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', "=cmd|' /C calc'!A0", '＝1', '=1\n,"'])(
    'defuses %j',
    async (a) => {
      const { text } = await render('render_csv', CSV_PLAIN, { list: [{ a, b: '' }] });
      const [, row] = parse(text);
      expect(row?.[0]).toBe(`'${a}`);
    },
  );

  it.each(['-5', '-5.25', '5', '1-2', 'a=b', "'x"])('leaves %s as it is', async (a) => {
    const { text } = await render('render_csv', CSV_PLAIN, { list: [{ a, b: '' }] });
    expect(parse(text)[1]?.[0]).toBe(a);
  });

  it('gives a foreign reader every value back, defused or not', async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', ',', '"', '\n', '=', '-', ' ', '\t', "'", '1', ';', 'é'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: cell, b: cell }), { maxLength: 5 }), async (list) => {
        const rows = parse((await render('render_csv', CSV_PLAIN, { list })).text);
        const defused = (text: string) => (/^[=\t]|^-(?!\d+$)/u.test(text) ? `'${text}` : text);
        expect(rows.slice(1)).toEqual(list.map(({ a, b }) => [defused(a), defused(b)]));
      }),
    );
  });

  it.each([
    ['{', /is not JSON/],
    ['{"rows":"list"}', /lacks columns/],
    ['{"rows":"title","columns":[{"header":"A","value":"{{a}}"}]}', /"title" is not a list/],
    ['{"rows":"list","columns":[{"header":"A","value":"{{nope}}"}]}', /"nope" is not in input_schema/],
    ['{"rows":"list","columns":[{"header":"A","value":"{{a"}]}', /Unclosed tag/],
    ['{"rows":"list","columns":[{"header":"A","value":"x","width":3}]}', /width is not a known member/],
  ])('refuses the template %s', (template, reason) => {
    expect(faults('render_csv', template)[0]).toMatch(reason);
  });
});
