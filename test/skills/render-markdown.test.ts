import { describe, expect, it } from 'vitest';

import { faults, render } from './bound-handlers.ts';

describe('render_markdown', () => {
  it('shows a value as text, in a line and in a paragraph of its own', async () => {
    const template = '# {{title}}\n\n{{text}}\n\n- {{title}}: {{text}}\n';
    const { text } = await render('render_markdown', template, {
      title: 'A *b*',
      text: '# no heading\n- no list\n\nnext',
    });
    expect(text).toBe(
      '# A \\*b\\*\n\n\\# no heading\\\n\\- no list\n\nnext\n\n- A \\*b\\*: \\# no heading - no list next\n',
    );
  });

  it.each([
    ['in a fence', '```\n{{text}}\n```\n'],
    ['in indented code', 'x\n\n    {{text}}\n'],
    ['in a code span', 'a `{{text}}` b'],
    ['as the target of a link', '[x]({{text}})'],
    ['in an image', '![{{text}}](x.png)'],
    ['in an address in angle brackets', '<https://x.example/{{text}}>'],
    ['in HTML', '<b title="{{text}}">x</b>'],
    ['in a block of HTML', '<div>\n{{text}}\n</div>\n'],
    ['as a reference', '[x]: {{text}}\n\n[x]\n'],
  ])('refuses a template with a value %s', (_where, template) => {
    expect(faults('render_markdown', template)[0]).toMatch(/a value may stand in text only/);
  });

  it('leaves no gap where a section was left out', async () => {
    const { text } = await render(
      'render_markdown',
      'a\n\n{{#text}}\n## T\n\n{{text}}\n\n{{/text}}\nb\n',
      {},
    );
    expect(text).toBe('a\n\nb\n');
  });
});
